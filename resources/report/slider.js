"use strict";
(() => {
  const maps = [...document.querySelectorAll(".map")];
  const cursors = [...document.querySelectorAll(".now")];
  const slider = document.getElementById("w");
  const told = document.getElementById("told");

  function show() {
    const chosen = maps[Number(slider.value)];
    for (const map of maps) {
      map.hidden = map !== chosen;
    }
    const w = Number(chosen.dataset.w);
    told.textContent = String(w);
    slider.setAttribute("aria-valuetext", `w = ${w}`);
    for (const cursor of cursors) {
      const x = Number(cursor.dataset.start) + w * Number(cursor.dataset.step);
      cursor.setAttribute("x1", x);
      cursor.setAttribute("x2", x);
    }
  }

  function open() {
    for (const details of document.querySelectorAll("details")) {
      details.open = true;
    }
  }

  window.addEventListener("beforeprint", open);
  document.documentElement.classList.add("live");
  slider.addEventListener("input", show);
  show();
})();
