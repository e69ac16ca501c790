// Applies this phone's choice of dark or light before anything is drawn. Without one its own setting holds.

try {
  const look = localStorage.getItem("rollcall.look");
  if (look === "dark" || look === "light") document.documentElement.dataset.look = look;
} catch {
  // storage is off
}
