// Dark or light as this phone was told, before anything is drawn; without that it is as the phone's own setting.

try {
  const look = localStorage.getItem("rollcall.look");
  if (look === "dark" || look === "light") document.documentElement.dataset.look = look;
} catch {
  // storage is off
}
