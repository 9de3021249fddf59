/* What a student does on a live page, then print what the page showed. */
const frame = () => new Promise((resolve) => setTimeout(resolve, 100));
const until = async (holds) => { while (!holds()) await frame(); };
const slideTo = async (id, value) => {
  $(id).value = value;
  $(id).dispatchEvent(new Event("input"));
  await frame();
};

(async () => {
  const result = { states: [] };
  await until(() => found);
  result.states.push(Array.from(states));
  await slideTo("n", 5);
  await slideTo("w", 0);
  result.states.push(Array.from(states));

  const { x, y } = setting;
  $("picture").focus();
  for (const [key, shiftKey] of [["ArrowRight", false], ["ArrowDown", true]]) {
    document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey }));
  }
  result.moved = [setting.x - x, setting.y - y];

  const bytes = Uint8Array.from(atob(PNG), (letter) => letter.charCodeAt(0)), before = lattice;
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([bytes], "own.png", { type: "image/png" }));
  document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  await until(() => lattice !== before && found && states.length === lattice.symbols.length);
  result.dropped = Array.from(states);

  $("own").click();
  await until(() => setting.n === 3 && found && found.n === 3);
  const { w } = QUESTIONS[0].move(setting), now = found.inertia, then = computed(3, w).found.inertia;
  const way = Math.sign(Number(then.toFixed(3)) - Number(now.toFixed(3)));
  [...$("answers").children][1 - way].click();
  await until(() => found.w === w);
  Object.assign(result, { asked: w, reached: setting.w, verdict: $("verdict").textContent });
  console.log(JSON.stringify(result));
})();
