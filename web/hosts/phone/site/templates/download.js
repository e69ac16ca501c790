// Puts what is for the visitor's own system first.
const system = /Windows/.test(navigator.userAgent) ? "windows" : /Mac/.test(navigator.userAgent) ? "mac" : "linux";
const list = document.getElementById("offers");
list?.prepend(...list.querySelectorAll(`[data-system=${system}]`));
