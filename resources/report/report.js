"use strict";
(() => {
  const button = document.getElementById("open");

  button?.addEventListener("click", () => {
    const page = JSON.parse(document.getElementById("live-page").textContent);
    window.open(URL.createObjectURL(new Blob([page], { type: "text/html" })));
  });
  window.addEventListener("beforeprint", () => {
    for (const details of document.querySelectorAll("details")) {
      details.open = true;
    }
  });
})();
