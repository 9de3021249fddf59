/* The front end of the widget in notebooks: three sliders, and the map that they give. Python reads
   and sets n_states, window and alpha. */
function render({ model, el }) {
  const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const { picture, tree: written, colors, most } = model.get("content");
  const lattice = { ...picture, symbols: bytes(picture.symbols) }, { width, height } = lattice;
  const codewords = new Float64Array(bytes(written.codewords).buffer);
  const tree = { ...written, size: lattice.size, codewords };
  const made = (tag, into, properties = {}) => into.appendChild(Object.assign(document.createElement(tag), properties));
  const drawn = (title) => {
    const figure = made("figure", figures, { style: "margin:0;flex:1;min-width:160px" });
    made("figcaption", figure, { textContent: title });
    const style = "width:100%;image-rendering:pixelated" + (height === 1 ? ";height:48px" : "");
    return made("canvas", figure, { width, height, style, ariaLabel: title });
  };
  const knobs = made("div", el, { style: "display:flex;gap:24px;flex-wrap:wrap" });
  const inputs = [["n_states", "N", 1, tree.n, 1], ["window", "w", 0, most, 1], ["alpha", "α", 0.01, 1, 0.01]]
    .map(([name, title, min, max, step]) => {
      const label = made("label", knobs);
      made("b", label, { textContent: `${title} ` });
      const input = made("input", label, { type: "range", min, max, step });
      const output = made("output", label);
      input.oninput = () => { model.set(name, Number(input.value)); model.save_changes(); };
      return { name, input, output };
    });
  const figures = made("div", el, { style: "display:flex;gap:12px;margin:8px 0" });
  const map = [drawn("Picture"), drawn("States")][1], text = made("div", el);

  function paint(canvas, values, table) { // without a colour: unknown
    const image = new ImageData(width, height);
    values.forEach((value, t) => image.data.set([...(table[value] ?? [160, 160, 160]), 255], 4 * t));
    canvas.getContext("2d").putImageData(image, 0, 0);
  }

  let found, last;
  function update() {
    const [n, w, alpha] = inputs.map(({ name }) => model.get(name));
    if (last !== `${n} ${w}`) {
      const codebook = codebookOf(tree, n), states = decode(lattice, codebook, w);
      [found, last] = [measure(lattice, codebook, states, w), `${n} ${w}`];
      paint(map, states, colors);
    }
    for (const { name, input, output } of inputs) output.textContent = ` ${input.value = model.get(name)}`;
    text.textContent = `Associativity ${found.associativity.toFixed(3)}, inertia ${found.inertia.toFixed(3)}, `
      + `log-likelihood ${logLikelihood(found, alpha).toFixed(0).replace("-", "−")} nats (not normalised)`;
  }
  paint(figures.querySelector("canvas"), lattice.symbols, picture.colors);
  model.on("change:n_states change:window change:alpha", update);
  update();
}
export default { render };
