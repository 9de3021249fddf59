/* The page: what the reader sets, and drawing. A step of N or w computes one map; one of alpha, a
   logarithm. */
const $ = (id) => document.getElementById(id);
const CONTENT = JSON.parse($("content").textContent);
const MOST_STATES = 32, CELLS = 128, MOST_SIDE = 512, LONGEST = 1200;

const setting = { n: 0, w: 0, alpha: 1, y: 0, x: 0 };
let lattice, tree, plane, looks, windows, rgb; // of the picture
let codebook, states, found, order, cells; // of N and w

const rgbOf = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
const inkOn = (hex) => { // black or white, whichever contrasts more
  const linear = rgbOf(hex).map((value) => (value / 255) ** 2.2);
  return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2] > 0.18 ? "#000" : "#fff";
};
const list = (n) => Array.from({ length: n }, (_, k) => k);

function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("--")) made.style.setProperty(name, value);
    else if (name in made) made[name] = value;
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

/* PICTURES */
const isRow = () => lattice.height === 1; // drawn as a sequence
async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function openOwn(changes = {}) {
  const { picture, tree: written, setting: own } = CONTENT;
  const words = Uint8Array.from(atob(written.codewords), (letter) => letter.charCodeAt(0));
  const learned = { ...written, size: picture.size, codewords: new Float64Array(words.buffer) };
  lattice = { ...picture, isOwn: true, symbols: await unpacked(picture.symbols) };
  show(learned, written.slots, { ...own, ...changes });
  $("own").setAttribute("aria-pressed", "true");
}

async function openFile(file) {
  try {
    const image = await createImageBitmap(file), most = Math.max(image.width, image.height);
    const [width, height] = [image.width, image.height]
      .map((side) => Math.max(1, Math.round(side * Math.min(1, MOST_SIDE / most))));
    const context = element("canvas", { width, height }).getContext("2d");
    context.fillStyle = "#fff";
    context.fillRect(0, 0, width, height);
    context.imageSmoothingQuality = "high";
    context.drawImage(image, 0, 0, width, height);
    const { data } = context.getImageData(0, 0, width, height);
    const grey = (t) => Math.round(0.2126 * data[t] + 0.7152 * data[t + 1] + 0.0722 * data[t + 2]);
    const { symbols, greys } = quantize(Uint8Array.from(list(height * width), (t) => grey(4 * t)));
    const colors = greys.map((value) => `#${value.toString(16).padStart(2, "0").repeat(3)}`);
    $("facts").textContent = "Learning its states…";
    await new Promise((resolve) => setTimeout(resolve, 30)); // so that this line is painted
    const name = file.name || "Your picture", names = greys.map((value) => `grey ${value}`);
    lattice = { symbols, height, width, size: greys.length, dimensions: 2, colors, names, name };
    const learned = learnTree(lattice, CONTENT.learning);
    show(learned, risingSlots(learned), {});
    $("own").setAttribute("aria-pressed", "false");
  } catch {
    $("facts").textContent = `${file.name} is not a picture that this browser can read. Try a PNG or a JPEG.`;
  }
}

/* Row k of the tree has slot k, but the darker of the first two comes first. */
function risingSlots(learned) {
  const two = codebookOf(learned, 2), mean = (row) => list(learned.size)
    .reduce((sum, k) => sum + k * two[row * learned.size + k], 0);
  const slots = list(MOST_STATES);
  return mean(0) <= mean(1) ? slots : [1, 0, ...slots.slice(2)];
}

function show(learned, slots, changes) {
  tree = learned;
  plane = planeOf(tree);
  looks = slots.map((slot) => ({ slot, ...CONTENT.looks[slot] }));
  rgb = lattice.colors.map(rgbOf);
  clearTimeout(resting);
  found = undefined;
  const [y, x] = [lattice.height >> 1, lattice.width >> 1];
  Object.assign(setting, { y, x }, changes);
  windows = [...new Set([...CONTENT.windows, setting.w])].sort((a, b) => a - b);
  $("w").max = windows.length - 1;
  document.body.classList.toggle("sequence", isRow());
  $("picture-title").textContent = isRow() ? "Sequence" : "Picture";
  const size = isRow() ? `${lattice.width} positions` : `${lattice.width} × ${lattice.height} pixels`;
  $("facts").textContent = `${size}, ${lattice.size} symbols`;
  $("picture").setAttribute("aria-label", `${lattice.name}: ${$("facts").textContent}`);
  $("learning").textContent = CONTENT.learning;
  set({});
  ask(0);
}

/* FRAMES. All changes until the next frame are drawn together. */
let waiting = 0;
function set(changes) {
  Object.assign(setting, changes);
  if (tree) waiting ||= requestAnimationFrame(() => { waiting = 0; update(); });
}

function computed(n, w) {
  const rows = list(n).sort((a, b) => looks[a].slot - looks[b].slot); // states are numbered by slots
  const B = codebookOf(tree, n, rows), map = decode(lattice, B, w);
  return { order: rows, codebook: B, states: map, found: { w, ...measure(lattice, B, map, w) } };
}

function update() {
  const { n, w, alpha } = setting;
  if (!found || found.w !== w) cells = cellsAt(w);
  if (!found || found.n !== n || found.w !== w) {
    ({ order, codebook, states, found } = computed(n, w));
    drawMap();
    drawShares();
    drawAdjacency();
    drawIndices();
  }
  drawPicture();
  drawSpace();
  drawPixel();
  drawLikelihood();
  $("n").value = n;
  $("w").value = windows.indexOf(w);
  $("alpha").value = Math.round(100 * alpha);
  const across = 2 * w + 1, size = isRow() ? across : `${across} × ${across}`;
  const texts = { n, w: `${w} (${size})`, alpha: alpha.toFixed(2) };
  for (const [name, text] of Object.entries(texts)) {
    $(`${name}-is`).textContent = text;
    $(name).setAttribute("aria-valuetext", text);
  }
  rest();
}

/* Once the reader rests: tell screen readers the result, and keep the settings in the address. */
let resting = 0;
function rest() {
  clearTimeout(resting);
  resting = setTimeout(() => {
    const { n, w, alpha } = setting, { associativity, inertia: inert } = found;
    $("spoken").textContent = `N ${n}, w ${w}: associativity ${associativity.toFixed(3)}, inertia ${inert.toFixed(3)}`;
    if (!isOwn()) return;
    try {
      history.replaceState(null, "", `#${new URLSearchParams({ N: n, w, alpha })}`);
    } catch { /* a frame without an address */ }
  }, 600);
}

/* DRAWING */
const lookOf = (state) => looks[order[state]];
const titleOf = (state) => [`state ${state + 1}`, lookOf(state).name && `(${lookOf(state).name})`].filter(Boolean).join(" ");
const styleOf = (state) => ({ "--state": lookOf(state).color, "--on-state": inkOn(lookOf(state).color) });
const percent = (share) => `${(100 * share).toFixed(share < 0.1 ? 1 : 0)} %`;
const packed = ([red, green, blue]) => ((255 << 24) | (blue << 16) | (green << 8) | red) >>> 0;
const HATCH = [120, 196, 196, 196].map((grey) => packed([grey, grey, grey])); // over unknown nodes

function paint(canvas, values, colors, width = lattice.width, height = lattice.height) {
  Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d"), image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer), table = colors.map(packed);
  for (let y = 0, t = 0; y < height; y++) {
    for (let x = 0; x < width; x++, t++) pixels[t] = table[values[t]] ?? HATCH[(y + x) & 3];
  }
  context.putImageData(image, 0, 0);
}

let painted;
function drawPicture() {
  if (isRow()) return drawCurve();
  if (painted !== lattice) paint($("picture"), lattice.symbols, rgb);
  painted = lattice;
}

function drawMap() {
  const colors = list(found.n).map((state) => rgbOf(lookOf(state).color));
  if (!isRow()) return paint($("map"), states, colors);
  const width = Math.min(lattice.width, LONGEST); // spans of a long sequence: a state for each column
  const at = (x) => states[Math.floor((x + 0.5) * lattice.width / width)];
  paint($("map"), list(width).map(at), colors, width, 1);
}

/* A sequence is a curve of its symbols, with the least and the most of each column of the screen. */
function drawCurve() {
  const canvas = $("picture"), { width: n, symbols, size } = lattice;
  const scale = devicePixelRatio, width = Math.round(canvas.clientWidth * scale);
  const height = Math.round(canvas.clientHeight * scale), columns = Math.min(n, width);
  Object.assign(canvas, { width, height });
  const context = canvas.getContext("2d"), style = getComputedStyle(document.documentElement);
  const up = (symbol) => (1 - (symbol + 0.5) / size) * height;
  context.strokeStyle = style.getPropertyValue("--text");
  context.lineWidth = scale;
  context.lineJoin = "round";
  context.beginPath();
  for (let column = 0; column < columns; column++) {
    const part = symbols.subarray(Math.floor(column * n / columns), Math.floor((column + 1) * n / columns));
    const known = part.filter((symbol) => symbol < size), x = (column + 0.5) * width / columns;
    if (!known.length) continue;
    for (const symbol of columns === n ? known : [Math.min(...known), Math.max(...known)]) context.lineTo(x, up(symbol));
  }
  context.stroke();
}

function drawShares() {
  const known = found.occupancy.reduce((a, b) => a + b);
  const shares = list(found.n).map((state) => percent(found.occupancy[state] / known));
  const text = (state) => ` ${lookOf(state).name ?? ""} ${shares[state]}`.replace(/ +/g, " ");
  $("shares").replaceChildren(...list(found.n).map((state) => element("li", styleOf(state),
    element("b", { textContent: state + 1 }), text(state))));
  const label = list(found.n).map((state) => `${titleOf(state)} ${shares[state]}`).join(", ");
  $("map").setAttribute("aria-label", `States: ${label}`);
}

function drawAdjacency() {
  const { n, A } = found;
  const head = (state, scope) => element("th", { scope, ...styleOf(state) }, element("b", { textContent: state + 1 }));
  const cell = (value) => element("td", { "--share": value, textContent: value.toFixed(2).replace(/^0/, "") });
  const rows = list(n).map((i) => element("tr", {}, head(i, "row"), ...list(n).map((j) => cell(A[i * n + j]))));
  const corner = element("td", { "--share": 0 });
  $("adjacency").replaceChildren(element("tr", {}, corner, ...list(n).map((j) => head(j, "col"))), ...rows);
  $("adjacency").className = n > 16 ? "many dots" : n > 7 ? "many" : "";
}

const INDICES = [["Associativity", "associativity", 0.5, (n) => 1 / n], ["Inertia", "inertia", 0.9, (n) => 1 / Math.sqrt(n)]];
function drawIndices() {
  $("indices").replaceChildren(...INDICES.flatMap(([title, name, needed, chanceOf]) => {
    const value = found[name], chance = chanceOf(found.n);
    const left = (share) => ({ style: `left:${(100 * share).toFixed(1)}%` });
    const gauge = element("div", { className: value >= needed ? "gauge enough" : "gauge" },
      element("i", { style: `width:${(100 * value).toFixed(1)}%` }), element("u", left(needed)), element("u", left(chance)));
    return [element("dt", { textContent: title }), element("dd", { className: "main", textContent: value.toFixed(3) }),
      element("dd", { className: "wide" }, gauge,
        element("small", { className: "note", textContent: `▮ needed ${needed}, ▏by chance ${chance.toFixed(2)}` }))];
  }));
}

function grouped(value, digits = 0) {
  if (!Number.isFinite(value)) return "−∞";
  const text = value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return text.replace("-", "−").replaceAll(",", "\u202f");
}

function drawLikelihood() {
  const { dataTerm, pairTerm, edges, impossible, occupancy } = found, total = logLikelihood(found, setting.alpha);
  const known = occupancy.reduce((a, b) => a + b), fromAlpha = edges * Math.log(setting.alpha);
  const rows = [["log P, nats", grouped(total)], [`bits per ${CONTENT.node}`, grouped(total / known / Math.LN2, 3)],
    ["data term", grouped(dataTerm)], ["pair term", grouped(pairTerm + fromAlpha)], ["from α", grouped(fromAlpha)],
    [`impossible ${CONTENT.node}s`, grouped(impossible)]];
  $("likelihood").replaceChildren(...rows.flatMap(([name, text], k) => [element("dt", { textContent: name }),
    element("dd", { className: k ? "" : "main", textContent: text })]));
}

/* The simplex, on its plane. The frame holds all pure symbols and stays while N and w move. */
function place(x, y) { // in a square of side 1
  const [left, right] = [Math.min(...plane.x), Math.max(...plane.x)], [low, high] = [Math.min(...plane.y), Math.max(...plane.y)];
  const span = 1.14 * Math.max(right - left, high - low) || 1;
  return [0.5 + (x - (left + right) / 2) / span, 0.5 - (y - (low + high) / 2) / span];
}

/* The cell of the square in which each signature lies. */
function cellsAt(w) {
  const { size, width } = lattice, corners = list(size).map((k) => place(plane.x[k], plane.y[k]));
  const all = new Uint16Array(lattice.symbols.length), sizes = windowSizes(lattice, w);
  sumWindows(lattice, w, Float64Array.from(corners.flat()), 2, (y, sums) => {
    for (let x = 0, t = y * width; x < width; x++, t++) {
      const scale = CELLS / sizes[t];
      all[t] = Math.floor(sums[2 * x + 1] * scale) * CELLS + Math.floor(sums[2 * x] * scale);
    }
  });
  return all;
}

const cloud = element("canvas", { width: CELLS, height: CELLS });
function drawCloud() {
  const counts = new Uint32Array(CELLS * CELLS), sums = new Float64Array(3 * CELLS * CELLS);
  const colors = list(found.n).map((state) => rgbOf(lookOf(state).color));
  for (let t = 0; t < cells.length; t++) {
    if (states[t] === UNKNOWN) continue;
    counts[cells[t]]++;
    const [red, green, blue] = colors[states[t]], at = 3 * cells[t];
    sums[at] += red;
    sums[at + 1] += green;
    sums[at + 2] += blue;
  }
  const image = new ImageData(CELLS, CELLS), most = Math.log1p(counts.reduce((a, b) => Math.max(a, b)));
  counts.forEach((count, cell) => {
    if (!count) return;
    for (let c = 0; c < 3; c++) image.data[4 * cell + c] = sums[3 * cell + c] / count;
    image.data[4 * cell + 3] = 60 + 195 * Math.log1p(count) / most;
  });
  cloud.getContext("2d").putImageData(image, 0, 0);
}

let clouded;
function drawSpace() {
  if (clouded !== found) drawCloud();
  clouded = found;
  const canvas = $("space"), side = Math.round(canvas.clientWidth * devicePixelRatio), context = canvas.getContext("2d");
  Object.assign(canvas, { width: side, height: side });
  const style = getComputedStyle(document.documentElement), unit = side / 330;
  const [text, muted, line] = ["--text", "--muted", "--line"].map((name) => style.getPropertyValue(name));
  const stroke = (from, to, color, width, dash = []) => {
    context.beginPath();
    context.moveTo(...from);
    context.lineTo(...to);
    Object.assign(context, { strokeStyle: color, lineWidth: width * unit });
    context.setLineDash(dash.map((length) => length * unit));
    context.stroke();
    context.setLineDash([]);
  };
  const disc = ([x, y], radius, fill, edge) => {
    context.beginPath();
    context.arc(x, y, radius * unit, 0, 7);
    Object.assign(context, { fillStyle: fill, strokeStyle: edge, lineWidth: 1.5 * unit });
    context.fill();
    context.stroke();
  };
  const at = (shares) => place(...[plane.x, plane.y].map((axis) => axis.reduce((sum, v, k) => sum + v * shares[k], 0)))
    .map((v) => v * side);
  const pure = list(lattice.size).map((k) => place(plane.x[k], plane.y[k]).map((v) => v * side));
  const hasEdges = pure.length <= 8; // of more symbols they would hide all else
  pure.forEach((one, k) => hasEdges && pure.slice(0, k).forEach((other) => stroke(one, other, line, 0.7)));
  context.drawImage(cloud, 0, 0, side, side);
  pure.forEach((one, k) => disc(one, 4.5, lattice.colors[k], muted));
  const own = at(signatureAt(lattice, setting.w, setting.y, setting.x)), state = stateHere();
  const words = list(found.n).map((j) => at(codebook.subarray(j * lattice.size, (j + 1) * lattice.size)));
  if (state !== UNKNOWN) words.forEach((word, j) => stroke(own, word, text, j === state ? 1.8 : 0.6, j === state ? [] : [3, 3]));
  Object.assign(context, { textAlign: "center", textBaseline: "middle", font: `600 ${11 * unit}px system-ui` });
  words.forEach((word, j) => {
    disc(word, 9, lookOf(j).color, "#fff");
    context.fillStyle = inkOn(lookOf(j).color);
    context.fillText(j + 1, word[0], word[1] + 0.5 * unit);
  });
  if (state !== UNKNOWN) disc(own, 4, "#fff", "#000");
  canvas.setAttribute("aria-label", `Plane through the simplex of ${lattice.size} symbols, with ${found.n} codewords`);
}

const stateHere = () => states[setting.y * lattice.width + setting.x];
function drawPixel() {
  const { y, x, w } = setting, { width, height, size, colors } = lattice, state = stateHere();
  const ends = (at, length) => [Math.max(0, at - w) / length, Math.min(length, at + w + 1) / length];
  const [[left, right], [top, bottom]] = [ends(x, width), ends(y, height)];
  for (const { style } of document.querySelectorAll(".window")) {
    const sides = { left, top, width: right - left, height: bottom - top };
    for (const [name, share] of Object.entries(sides)) style[name] = `${100 * share}%`;
  }
  const where = isRow() ? x + 1 : `${x + 1}, ${y + 1}`;
  const title = `${CONTENT.node} ${where}`;
  $("pixel").textContent = title[0].toUpperCase() + title.slice(1) + (state === UNKNOWN ? ": unknown" : `: ${titleOf(state)}`);
  $("bars").replaceChildren();
  $("pixel-text").textContent = "";
  if (state === UNKNOWN) return;
  const shares = signatureAt(lattice, w, y, x), word = codebook.subarray(state * size, (state + 1) * size);
  const most = Math.max(0.3, ...codebook), high = (share) => `${Math.min(100, 100 * share / most).toFixed(1)}%`; // one scale for all
  $("bars").append(...list(size).map((k) => element("div", { ...styleOf(state), title: `${lattice.names[k]}: ${percent(shares[k])}` },
    element("i", { style: `height:${high(shares[k])};background:${colors[k]}` }), element("u", { style: `bottom:${high(word[k])}` }))));
  $("bars").setAttribute("aria-label", list(size).map((k) => `${lattice.names[k]} ${percent(shares[k])}`).join(", "));
  const distance = Math.hypot(...shares.map((share, k) => share - word[k]));
  $("pixel-text").textContent = `Bars: shares of the symbols in its window. Lines: codeword ${state + 1}, the nearest, at a distance of ${distance.toFixed(2)}.`;
}

/* PREDICT FIRST: a question, an answer, then the move itself. Verdicts are
   computed; their reasons follow from definitions. */
const QUESTIONS = [
  { move: ({ w }) => ({ w: nearWindow(w < 10 ? w + 8 : w - 8) }), title: "inertia", of: (one) => one.inertia, digits: 3,
    because: "Inertia is 1 where a window holds one state, and falls with each further state in it." },
  { move: ({ n }) => ({ n: n < 8 ? n + 3 : n - 3 }), title: "associativity", of: (one) => one.associativity, digits: 3,
    because: "Associativity is the share of A on its diagonal: sides that border on their own state." },
  { move: ({ alpha }) => ({ alpha: alpha > 0.5 ? 0.2 : 1 }), title: `number of ${CONTENT.node}s in state 1`, of: (one) => one.occupancy[0], digits: 0,
    because: "No state depends on α: log P adds log α for each pair of neighbours." },
  { move: ({ w }) => ({ w: w > 0 ? 0 : 3 }), title: "associativity", of: (one) => one.associativity, digits: 3,
    because: "With w = 0 a state follows from one symbol alone; with a larger w, neighbours share most of their windows." },
  { move: ({ alpha }) => ({ alpha: alpha > 0.5 ? 0.2 : 1 }), title: "log P", of: (one, alpha) => logLikelihood(one, alpha), digits: 0,
    because: "It changes by |E| log α, |E| the number of pairs of neighbours." },
];
const nearWindow = (w) => windows.reduce((best, one) => (Math.abs(one - w) < Math.abs(best - w) ? one : best));
const ANSWERS = [["It rises", 1], ["It stays", 0], ["It falls", -1]];
let asked = 0, teaching = false;
const isOwn = () => Boolean(lattice.isOwn);

/* Ask the k-th question: the steps of a lesson come first, on its own picture. */
function ask(k) {
  const lesson = isOwn() && CONTENT.lesson[k];
  if (lesson) return teach(k, lesson);
  asked = (k - CONTENT.lesson.length * isOwn()) % QUESTIONS.length;
  teaching = false;
  for (const [, card] of CARDS) card().hidden = false;
  document.body.classList.remove("lesson");
  $("predict").textContent = "Predict first";
  const { move, title } = QUESTIONS[asked], [[name, to]] = Object.entries(move(setting));
  const sign = { n: "N", w: "w", alpha: "α" }[name];
  $("question").textContent = `${sign} goes from ${setting[name]} to ${to}: what does the ${title} do?`;
  $("verdict").textContent = "";
  $("answers").replaceChildren(...ANSWERS.map(([text, way]) => element("button", { textContent: text, onclick: () => answer(way) })));
}

function answer(way) {
  const { move, title, of, digits, because } = QUESTIONS[asked], to = move(setting), after = { ...setting, ...to };
  const next = "alpha" in to ? found : computed(after.n, after.w).found;
  const [old, now] = [of(found, setting.alpha), of(next, after.alpha)].map((value) => Number(value.toFixed(digits)));
  const right = Math.sign(now - old), [low, high] = [old, now].map((value) => grouped(value, digits));
  const text = right ? `the ${title} ${right > 0 ? "rises" : "falls"} from ${low} to ${high}` : `the ${title} stays at ${low}`;
  $("verdict").textContent = `${way === right ? "Yes" : "No"}: ${text}. ${because}`;
  offerNext(CONTENT.lesson.length * isOwn() + asked + 1);
  step(to);
}

function offerNext(k) {
  const next = element("button", { textContent: teaching ? "Next" : "Next question", onclick: () => ask(k) });
  $("answers").replaceChildren(next);
  next.focus();
}

/* A step of a lesson: its text, a question, and after the answer why. Text in ** is bold. Other
   parts than those of the step would give the answer away. */
const CARDS = Object.entries({ image: "picture", states: "map", space: "space", adjacency: "adjacency", pixel: "pixel",
  indices: "fit", likelihood: "fit" }).map(([view, card]) => [view, () => document.querySelector(`main > .${card}`)]);
function teach(k, lesson) {
  const rich = (text) => text.split("**").map((part, at) => (at % 2 ? element("b", { textContent: part }) : part));
  teaching = true;
  document.body.classList.add("lesson");
  for (const [view, card] of CARDS) if (!lesson.views.includes(view)) card().hidden = true;
  for (const [view, card] of CARDS) if (lesson.views.includes(view)) card().hidden = false;
  set(lesson.before);
  $("predict").textContent = `${k + 1} of ${CONTENT.lesson.length}: ${lesson.title}`;
  $("question").replaceChildren(...rich(lesson.text));
  $("verdict").textContent = "";
  const choices = lesson.options.length ? lesson.options : [lesson.then ? "Show the answer" : "Go on"];
  $("answers").replaceChildren(...choices.map((text, at) => element("button", { textContent: text, onclick: () => {
    const verdict = lesson.options.length ? (at === lesson.right ? "Yes. " : "No. ") : "";
    $("verdict").replaceChildren(verdict, ...rich(lesson.then));
    set(lesson.after);
    offerNext(k + 1);
  } })));
}

/* Move step by step, so that the reader sees it happen. */
function step(to) {
  const [[name, end]] = Object.entries(to), isWindow = name === "w";
  const at = isWindow ? windows.indexOf(setting.w) : setting[name], last = isWindow ? windows.indexOf(end) : end;
  const size = name === "alpha" ? 0.05 : 1, left = last - at;
  if (Math.abs(left) <= size || matchMedia("(prefers-reduced-motion: reduce)").matches) return set(to);
  const next = Number((at + Math.sign(left) * size).toFixed(2));
  set({ [name]: isWindow ? windows[next] : next });
  return setTimeout(() => step(to), 90);
}

/* WIRING */
const slide = (name, valueOf) => {
  $(name).oninput = () => {
    set({ [name]: valueOf(Number($(name).value)) });
    if (!teaching) ask(CONTENT.lesson.length * isOwn() + asked);
  };
};
slide("n", (value) => value);
slide("w", (value) => windows[value]);
slide("alpha", (value) => value / 100);
$("own").onclick = () => openOwn();
$("file").onchange = ({ target }) => target.files[0] && openFile(target.files[0]);
addEventListener("dragover", (event) => {
  event.preventDefault();
  document.body.classList.add("dropping");
});
addEventListener("dragleave", (event) => event.relatedTarget ?? document.body.classList.remove("dropping"));
addEventListener("drop", (event) => {
  event.preventDefault();
  document.body.classList.remove("dropping");
  if (event.dataTransfer.files[0]) openFile(event.dataTransfer.files[0]);
});
addEventListener("paste", (event) => event.clipboardData.files[0] && openFile(event.clipboardData.files[0]));
const clamp = (value, length) => Math.min(length - 1, Math.max(0, Math.floor(value)));
for (const name of ["picture", "map"]) {
  $(name).onpointermove = $(name).onpointerdown = (event) => {
    const box = event.target.getBoundingClientRect(), { width, height } = lattice;
    const at = [(event.clientX - box.left) / box.width * width, (event.clientY - box.top) / box.height * height];
    set({ x: clamp(at[0], width), y: clamp(at[1], height) });
  };
}
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
$("picture").onkeydown = (event) => {
  const way = ARROWS[event.key], steps = event.shiftKey ? 10 : 1;
  if (!way) return;
  event.preventDefault();
  set({ x: clamp(setting.x + steps * way[0], lattice.width), y: clamp(setting.y + steps * way[1], lattice.height) });
};
addEventListener("resize", () => set({}));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => set({}));

/* A link may hold settings: #N=6&w=3&alpha=0.5 */
function settingsInLink() {
  const linked = new URLSearchParams(location.hash.slice(1)), changes = {};
  for (const [key, name, low, high] of [["N", "n", 1, MOST_STATES], ["w", "w", 0, CONTENT.windows.at(-1)], ["alpha", "alpha", 0.01, 1]]) {
    const value = Number(linked.get(key));
    if (linked.has(key) && value >= low && value <= high) changes[name] = name === "alpha" ? value : Math.round(value);
  }
  return changes;
}
openOwn(settingsInLink()).catch(() => {
  $("facts").textContent = "This page needs a browser of 2023 or later.";
});
