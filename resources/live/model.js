"use strict";
/* The lattice model in plain functions over typed arrays; nothing here knows a page.

   A lattice is {symbols, height, width, size, dimensions}: symbols (height * width) Uint8Array,
   0 to size - 1, or size where a node is unknown; dimensions is 2, or 1 of a sequence, whose height
   is 1. States are 0 to N - 1, or 255 where a node is unknown. Matrices are flat, row after row.
   Each number equals that of latviz.core; sums may differ in their last bits. */

const UNKNOWN = 255;

/* The numbers of nodes that have a symbol. */
function knownNodes({ symbols, size }) {
  let known = 0;
  for (const symbol of symbols) if (symbol < size) known++;
  return known;
}

/* WINDOWS. The window of a node holds the nodes within w of it along each axis, clipped to the
   lattice. All quantities below are sums over windows of numbers that each symbol has.

   `table` holds `channels` numbers a symbol; unknown nodes count nothing. For each row, visit(y,
   sums) gets the sums of its windows, (width * channels). Column sums take in one row and drop
   another, and a window takes in one column and drops another, so the time does not depend on w. */
function sumWindows({ symbols, height, width, size }, w, table, channels, visit) {
  const reach = Math.min(w, width), columns = new Float64Array((width + 2 * reach + 1) * channels);
  const sums = new Float64Array(width * channels), total = new Float64Array(channels);
  const entries = new Float64Array((size + 1) * channels);
  entries.set(table.subarray(0, size * channels));
  for (let y = 0; y < Math.min(w, height); y++) exchange(y, -1);
  for (let y = 0; y < height; y++) {
    exchange(y + w < height ? y + w : -1, y - w - 1);
    slide();
    visit(y, sums);
  }

  function exchange(entering, leaving) { // rows; below 0 there are none
    if (entering < 0 && leaving < 0) return;
    for (let x = 0, at = (reach + 1) * channels; x < width; x++, at += channels) {
      const symbol = entering < 0 ? size : symbols[entering * width + x];
      const old = leaving < 0 ? size : symbols[leaving * width + x];
      if (symbol === old) continue;
      for (let c = 0; c < channels; c++) {
        columns[at + c] += entries[symbol * channels + c] - entries[old * channels + c];
      }
    }
  }
  function slide() { // columns have zeros on both sides, one more on the left
    const across = (2 * reach + 1) * channels;
    total.fill(0);
    for (let at = channels; at < across; at += channels) {
      for (let c = 0; c < channels; c++) total[c] += columns[at + c];
    }
    for (let c = 0; c < channels; c++) {
      let sum = total[c];
      for (let at = c; at < sums.length; at += channels) {
        sums[at] = sum += columns[at + across] - columns[at];
      }
    }
  }
}

/* The number of known nodes in each window. */
function windowSizes(lattice, w) {
  const { height, width } = lattice, sizes = new Float64Array(height * width);
  if (knownNodes(lattice) < sizes.length) {
    const ones = new Float64Array(lattice.size).fill(1);
    sumWindows(lattice, w, ones, 1, (y, sums) => sizes.set(sums, y * width));
    return sizes;
  }
  const along = (x, length) => Math.min(length - 1, x + w) - Math.max(0, x - w) + 1;
  const across = Float64Array.from({ length: width }, (_, x) => along(x, width));
  for (let y = 0, t = 0; y < height; y++) {
    const rows = along(y, height);
    for (let x = 0; x < width; x++, t++) sizes[t] = rows * across[x];
  }
  return sizes;
}

function identity(n) {
  const matrix = new Float64Array(n * n);
  for (let k = 0; k < n; k++) matrix[k * n + k] = 1;
  return matrix;
}

/* The signatures of all known nodes: the share of each symbol in the window, row after row. They
   are rounded to single precision, as the program rounds what it learns from. */
function signatures(lattice, w) {
  const { symbols, width, size } = lattice, sizes = windowSizes(lattice, w);
  const found = new Float64Array(knownNodes(lattice) * size);
  let place = 0;
  sumWindows(lattice, w, identity(size), size, (y, sums) => {
    for (let x = 0, t = y * width; x < width; x++, t++) {
      if (symbols[t] === size) continue;
      for (let k = 0; k < size; k++) found[place++] = Math.fround(sums[x * size + k] / sizes[t]);
    }
  });
  return found;
}

/* The signature of one node. */
function signatureAt({ symbols, height, width, size }, w, y, x) {
  const shares = new Float64Array(size);
  let known = 0;
  for (let row = Math.max(0, y - w); row <= Math.min(height - 1, y + w); row++) {
    for (let column = Math.max(0, x - w); column <= Math.min(width - 1, x + w); column++) {
      const symbol = symbols[row * width + column];
      if (symbol === size) continue;
      shares[symbol]++;
      known++;
    }
  }
  return shares.map((count) => count / known);
}

/* DECODING. A node takes the state whose codeword B_j is nearest to its signature x. For n nodes in
   the window, n |B_j|^2 - 2 (sum of B_j[o] over the window) orders states as |x - B_j| does. Scores
   are rounded to whole numbers, whose sums are exact: of states that tie, the first is taken. */
function decode(lattice, codebook, w) {
  const { symbols, height, width, size } = lattice, n = codebook.length / size;
  const states = new Uint8Array(height * width);
  sumWindows(lattice, w, scores(codebook, lattice, w), n, (y, sums) => {
    for (let x = 0, t = y * width, at = 0; x < width; x++, t++) {
      let least = sums[at++], state = 0;
      for (let j = 1; j < n; j++, at++) if (sums[at] < least) { least = sums[at]; state = j; }
      states[t] = symbols[t] === size ? UNKNOWN : state;
    }
  });
  return states;
}

/* The score of each symbol for each state, as whole numbers. The digits after the point are those
   that latviz.core.windows.scores keeps, so that both round alike. */
function scores(codebook, { height, width, size }, w) {
  const n = codebook.length / size, table = new Float64Array(size * n);
  for (let j = 0; j < n; j++) {
    const codeword = codebook.subarray(j * size, (j + 1) * size);
    const squares = codeword.reduce((sum, value) => sum + value * value, 0);
    for (let k = 0; k < size; k++) table[k * n + j] = squares - 2 * codeword[k];
  }
  const ends = (k) => {
    const row = table.subarray(k * n, (k + 1) * n);
    return [Math.min(...row), Math.max(...row)];
  };
  let most = 1;
  for (let k = 0; k < size; k++) most = Math.max(most, (ends(k)[1] - ends(k)[0]) / 2 - 1e-6);
  const digits = (number) => Math.ceil(number).toString(2).length;
  const across = Math.min(height, 2 * w + 1), columns = digits(across * most);
  const whole = digits(across * Math.min(width, 2 * w + 1) * most);
  const choices = [28 - whole, Math.min(30 - columns, 31 - whole), Math.min(30 - columns, 48 - whole)];
  const kept = 2 ** (choices.find((bits) => bits >= 20) ?? Math.min(40, 48 - whole));
  const toEven = 1.5 * 2 ** 52; // adding and subtracting it rounds to whole numbers, halves to even
  for (let k = 0; k < size; k++) {
    for (let j = 0; j < n; j++) table[k * n + j] = table[k * n + j] * kept + toEven - toEven;
    const [low, high] = ends(k), middle = Math.floor((low + high) / 2);
    for (let j = 0; j < n; j++) table[k * n + j] -= middle;
  }
  return table;
}

/* LEARNING. Fast PNN (Equitz 1989): clusters of signatures are merged in pairs, those first that
   raise the squared error least, n_i n_j / (n_i + n_j) |c_i - c_j|^2. The merges are a tree, whose
   cut into N clusters is the codebook of N states.

   A tree is {n, size, codewords, weights, merges}: clusters 0 to n - 1 are the finest, merge s makes
   cluster n + s of two others, the heavier first; codewords are ((2 n - 1) * size). */
const BUCKET = 8;

function learnTree(lattice, w, nExact = 1024) {
  const { size } = lattice;
  let clusters = distinct(signatures(lattice, w), size);
  while (clusters.weights.length > nExact) {
    clusters = mergeInBuckets(clusters, size, Math.max(nExact, clusters.weights.length >> 1));
  }
  const { points, weights } = clusters, order = Array.from(weights, (_, k) => k);
  order.sort((a, b) => compareRows(points, a, b, size) || weights[a] - weights[b]);
  return mergeAll(taken(clusters, order, size), size);
}

function compareRows(points, a, b, size) {
  for (let c = 0, i = a * size, j = b * size; c < size; c++, i++, j++) {
    if (points[i] !== points[j]) return points[i] - points[j];
  }
  return 0;
}

/* Some clusters, in an order. */
function taken({ points, weights }, order, size) {
  const moved = new Float64Array(order.length * size);
  order.forEach((k, place) => moved.set(points.subarray(k * size, (k + 1) * size), place * size));
  return { points: moved, weights: Float64Array.from(order, (k) => weights[k]) };
}

/* Equal points become one with a weight. Those that differ are sorted by a hash of their bits, so
   that a picture that is turned or mirrored has the same tree: Fowler, Noll and Vo's of 64 bits,
   as two halves, times 2^40 + 435. */
function distinct(all, size) {
  const n = all.length / size, bits = new Uint32Array(all.buffer);
  const mask = 2 ** Math.ceil(Math.log2(2 * n + 1)) - 1, table = new Int32Array(mask + 1).fill(-1);
  const first = [], counts = [], highs = [], lows = [];
  for (let i = 0; i < n; i++) {
    let high = 0x14650fb0, low = 0x739d0383;
    for (let at = 2 * i * size; at < 2 * (i + 1) * size; at += 2) {
      low ^= bits[at];
      high ^= bits[at + 1];
      const product = (low >>> 0) * 435, shifted = low << 8;
      low = product >>> 0;
      high = (Math.imul(high, 435) + shifted + (product - low) / 2 ** 32) >>> 0;
      low ^= (high << 3) | (low >>> 29);
      high ^= high >>> 29;
    }
    let slot = Math.imul(low ^ high, 0x9e3779b1) & mask;
    while (table[slot] >= 0 && compareRows(all, first[table[slot]], i, size)) slot = (slot + 1) & mask;
    if (table[slot] < 0) {
      table[slot] = first.length;
      first.push(i);
      counts.push(0);
      highs.push(high >>> 0);
      lows.push(low >>> 0);
    }
    counts[table[slot]]++;
  }
  const order = first.map((_, k) => k).sort((a, b) => highs[a] - highs[b] || lows[a] - lows[b]
    || compareRows(all, first[a], first[b], size));
  const { points } = taken({ points: all, weights: counts }, order.map((k) => first[k]), size);
  return { points, weights: Float64Array.from(order, (k) => counts[k]) };
}

/* Merge down to `target` clusters. A k-d tree puts at most 8 of them into each bucket, each bucket
   proposes its cheapest pair, and the cheaper half of the proposals is merged, again and again. */
function mergeInBuckets({ points, weights }, size, target) {
  const places = Int32Array.from(weights, (_, k) => k), starts = [];
  split(0, places.length);
  const held = starts.map((start, b) => (starts[b + 1] ?? places.length) - start);
  const costs = new Float64Array(starts.length), pairs = new Int32Array(2 * starts.length);
  starts.forEach((_, b) => propose(b));
  for (let left = places.length; left > target;) {
    const sorted = Array.from(costs).filter((cost) => cost < Infinity).sort((a, b) => a - b);
    const quota = Math.min((sorted.length + 1) >> 1, left - target), limit = sorted[quota - 1];
    let ties = quota - sorted.indexOf(limit); // the first of equal costs are merged
    for (let b = 0; b < starts.length; b++) {
      if (costs[b] > limit || (costs[b] === limit && ties-- <= 0)) continue;
      const i = pairs[2 * b], j = pairs[2 * b + 1];
      unite(points, weights, places[i], places[j], places[i], size);
      places[j] = places[starts[b] + --held[b]]; // so that a bucket stays in one piece
      propose(b);
      left--;
    }
  }
  const kept = [];
  starts.forEach((start, b) => kept.push(...places.subarray(start, start + held[b])));
  return taken({ points, weights }, kept, size);

  function split(low, high) { // at the median of the widest axis
    if (high - low <= BUCKET) return starts.push(low);
    const middle = (low + high) >> 1;
    select(widest(low, high), low, high - 1, middle);
    split(low, middle);
    return split(middle, high);
  }
  function widest(low, high) {
    let axis = 0, width = -1;
    for (let c = 0; c < size; c++) {
      let least = Infinity, most = -Infinity;
      for (let k = low; k < high; k++) {
        const value = points[places[k] * size + c];
        least = Math.min(least, value);
        most = Math.max(most, value);
      }
      if (most - least > width) [axis, width] = [c, most - least];
    }
    return axis;
  }
  function select(axis, left, right, middle) { // quickselect
    while (left < right) {
      const pivot = points[places[(left + right) >> 1] * size + axis];
      let i = left, j = right;
      while (i <= j) {
        while (points[places[i] * size + axis] < pivot) i++;
        while (points[places[j] * size + axis] > pivot) j--;
        if (i <= j) {
          const place = places[i];
          places[i++] = places[j];
          places[j--] = place;
        }
      }
      if (middle <= j) right = j;
      else if (middle >= i) left = i;
      else return;
    }
  }
  function propose(b) {
    costs[b] = Infinity;
    for (let i = starts[b]; i < starts[b] + held[b] - 1; i++) {
      for (let j = i + 1; j < starts[b] + held[b]; j++) {
        const [one, other] = [places[i], places[j]], shared = weights[one] * weights[other];
        const cost = (shared / (weights[one] + weights[other])) * squares(points, one, other, size);
        if (cost < costs[b]) {
          costs[b] = cost;
          pairs[2 * b] = i;
          pairs[2 * b + 1] = j;
        }
      }
    }
  }
}

function squares(points, i, j, size) {
  let sum = 0;
  for (let c = 0; c < size; c++) {
    const difference = points[i * size + c] - points[j * size + c];
    sum += difference * difference;
  }
  return sum;
}

function unite(points, weights, i, j, into, size) {
  const total = weights[i] + weights[j];
  for (let c = 0; c < size; c++) {
    const moment = weights[i] * points[i * size + c] + weights[j] * points[j * size + c];
    points[into * size + c] = moment / total;
  }
  weights[into] = total;
}

/* Merge the cheapest of all pairs until one cluster is left. */
function mergeAll({ points, weights }, size) {
  const n = weights.length, costs = new Float64Array(n * n).fill(Infinity), merges = [];
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < n; k++) {
      if (k === i) continue;
      const share = (weights[i] * weights[k]) / (weights[i] + weights[k]);
      costs[i * n + k] = squares(points, k, i, size) * share;
    }
  }
  const left = Array.from(weights, (_, k) => k), mass = weights.slice(), cluster = left.slice();
  const partner = left.map(cheapest), least = left.map((k) => costs[k * n + partner[k]]);
  for (let step = 0; step < n - 1; step++) {
    let one = left[0];
    for (const k of left) if (least[k] < least[one]) one = k;
    const i = Math.min(one, partner[one]), j = Math.max(one, partner[one]);
    merges.push([cluster[i], cluster[j]]);
    cluster[i] = n + step;
    left.splice(left.indexOf(j), 1);
    join(i, j);
    for (const k of left) {
      if (k === i || partner[k] === i || partner[k] === j) {
        partner[k] = cheapest(k);
        least[k] = costs[k * n + partner[k]];
      } else if (costs[i * n + k] < least[k]) {
        partner[k] = i;
        least[k] = costs[i * n + k];
      }
    }
  }
  return treeOf(points, weights, merges, size);

  function cheapest(k) {
    let place = left[0];
    for (const other of left) if (costs[k * n + other] < costs[k * n + place]) place = other;
    return place;
  }
  function join(i, j) { // the cost of a union follows from its parts' (Lance and Williams 1967)
    const between = costs[i * n + j];
    for (const k of left) {
      if (k === i) continue;
      const parts = (mass[i] + mass[k]) * costs[i * n + k] + (mass[j] + mass[k]) * costs[j * n + k];
      const cost = Math.max((parts - mass[k] * between) / (mass[i] + mass[j] + mass[k]), 0);
      costs[i * n + k] = costs[k * n + i] = cost;
    }
    mass[i] += mass[j];
  }
}

function treeOf(points, weights, merges, size) {
  const n = weights.length, codewords = new Float64Array((2 * n - 1) * size);
  const masses = new Float64Array(2 * n - 1);
  codewords.set(points);
  masses.set(weights);
  merges.forEach(([i, j], step) => unite(codewords, masses, i, j, n + step, size));
  const isFirst = (i, j) => masses[i] > masses[j] || (masses[i] === masses[j] && i < j);
  const ordered = merges.map(([i, j]) => (isFirst(i, j) ? [i, j] : [j, i]));
  return { n, size, codewords, weights: masses, merges: ordered };
}

/* The clusters of a cut into N. From N to N + 1 one is split: its heavier part stays in its row. */
function cut(tree, nStates) {
  const clusters = [2 * tree.n - 2];
  for (let count = 1; count < Math.min(nStates, tree.n); count++) {
    const [heavy, light] = tree.merges[tree.n - 1 - count];
    clusters[clusters.indexOf(2 * tree.n - 1 - count)] = heavy;
    clusters.push(light);
  }
  while (clusters.length < nStates) clusters.push(clusters[0]); // fewer signatures than states
  return clusters;
}

/* The codebook of N states, (N * size), in the order of the cut's rows, or in that of `rows`. */
function codebookOf(tree, nStates, rows) {
  const { size, codewords } = tree, clusters = cut(tree, nStates);
  const codebook = new Float64Array(nStates * size);
  (rows ?? clusters.map((_, j) => j)).forEach((row, j) => {
    codebook.set(codewords.subarray(clusters[row] * size, (clusters[row] + 1) * size), j * size);
  });
  return codebook;
}

/* EVALUATION. Everything that follows from a map of states, but for alpha. */
function measure(lattice, codebook, states, w) {
  const n = codebook.length / lattice.size, found = count(lattice, states, n);
  const sides = 2 * Math.max(1, (lattice.height > 1) + (lattice.width > 1));
  const A = found.pairs.map((pairs, k) => pairs && pairs / (sides * found.occupancy[Math.floor(k / n)]));
  let diagonal = 0, all = 0;
  A.forEach((value, k) => {
    all += value;
    if (k % (n + 1) === 0) diagonal += value;
  });
  const indices = { associativity: diagonal / all, inertia: inertia(lattice, states, n, w) };
  const terms = likelihood(lattice, codebook, states, A, found);
  return Object.assign({ n, A, occupancy: found.occupancy }, indices, terms);
}

/* Nodes in each state, and with each symbol, and ordered pairs of neighbours. */
function count({ symbols, height, width, size }, states, n) {
  const occupancy = new Float64Array(n), seen = new Float64Array(n * size);
  const pairs = new Float64Array(n * n);
  const pair = (i, j) => { if (j !== UNKNOWN) pairs[i * n + j]++; }; // one way
  for (let y = 0, t = 0; y < height; y++) {
    for (let x = 0; x < width; x++, t++) {
      const i = states[t];
      if (i === UNKNOWN) continue;
      occupancy[i]++;
      seen[i * size + symbols[t]]++;
      if (x + 1 < width) pair(i, states[t + 1]);
      if (y + 1 < height) pair(i, states[t + width]);
    }
  }
  const both = pairs.map((nodes, k) => nodes + pairs[(k % n) * n + Math.floor(k / n)]);
  return { occupancy, seen, pairs: both };
}

/* Inertia is the mean over nodes of sqrt(sum of p_j^2), p_j the share of state j in the window. */
function inertia({ height, width }, states, n, w) {
  const symbols = states.map((state) => (state === UNKNOWN ? n : state));
  const map = { symbols, height, width, size: n }, sizes = windowSizes(map, w);
  let total = 0;
  sumWindows(map, w, identity(n), n, (y, sums) => {
    for (let x = 0, t = y * width, at = 0; x < width; x++, t++) {
      let square = 0;
      for (let j = 0; j < n; j++, at++) square += sums[at] * sums[at];
      if (symbols[t] < n) total += Math.sqrt(square) / sizes[t];
    }
  });
  return total / knownNodes(map);
}

/* log P is the sum over nodes of log b(q, o) + 1/2 sum over neighbours r of [log alpha +
   log a(q, q_r) - log k], k the sum of a(q, q_r) over the neighbours; alpha is 1 here. */
function likelihood(lattice, codebook, states, A, { seen, pairs }) {
  const { height, width, size } = lattice, n = codebook.length / size;
  let data = 0, impossible = 0, pair = 0;
  seen.forEach((nodes, k) => {
    if (nodes) data += nodes * Math.log(codebook[k]);
    if (codebook[k] === 0) impossible += nodes;
  });
  pairs.forEach((nodes, k) => { if (nodes) pair += nodes * Math.log(A[k]); });
  const alike = new Float64Array(n * 5); // nodes whose neighbours have their own state
  let sum, neighbours, same;
  const meet = (i, j) => {
    if (j === UNKNOWN) return;
    neighbours++;
    if (i === j) same++;
    sum += A[i * n + j];
  };
  for (let y = 0, t = 0; y < height; y++) {
    for (let x = 0; x < width; x++, t++) {
      const i = states[t];
      if (i === UNKNOWN) continue;
      if (x > 0 && y > 0 && x + 1 < width && y + 1 < height && states[t - 1] === i
        && states[t + 1] === i && states[t - width] === i && states[t + width] === i) {
        alike[i * 5 + 4]++; // as most nodes are
        continue;
      }
      sum = neighbours = same = 0;
      if (x > 0) meet(i, states[t - 1]);
      if (x + 1 < width) meet(i, states[t + 1]);
      if (y > 0) meet(i, states[t - width]);
      if (y + 1 < height) meet(i, states[t + width]);
      if (same === neighbours) alike[i * 5 + same]++;
      else pair -= neighbours * Math.log(sum);
    }
  }
  alike.forEach((nodes, k) => {
    const same = k % 5, i = (k - same) / 5;
    if (nodes && same) pair -= nodes * same * Math.log(same * A[i * n + i]);
  });
  const edges = pairs.reduce((sum, nodes) => sum + nodes, 0) / 2;
  return { dataTerm: data, pairTerm: pair / 2, impossible, edges };
}

/* log P with a constant alpha, which enters each pair of neighbours once. */
function logLikelihood({ dataTerm, pairTerm, edges }, alpha) {
  return dataTerm + pairTerm + edges * Math.log(alpha);
}

/* THE PLANE. Signatures are drawn on the plane of their two directions of most variance. To project
   is linear: a node's place is the mean over its window of the places of its symbols. The plane is
   {x, y}, the places of the pure symbols. */
function planeOf({ n, size, codewords, weights }) {
  const middle = codewords.subarray((2 * n - 2) * size), spread = new Float64Array(size * size);
  for (let k = 0; k < n; k++) {
    const from = middle.map((value, c) => codewords[k * size + c] - value);
    for (let a = 0; a < size; a++) {
      for (let b = 0; b < size; b++) spread[a * size + b] += weights[k] * from[a] * from[b];
    }
  }
  const axes = [];
  while (axes.length < 2) axes.push(mainAxis(spread, size, axes));
  const [x, y] = axes.map((axis) => {
    const origin = axis.reduce((sum, value, c) => sum + value * middle[c], 0);
    return axis.map((value) => value - origin);
  });
  return { x, y };
}

function mainAxis(spread, size, others) { // by repeated multiplication
  let axis = Float64Array.from({ length: size }, (_, k) => Math.sin(3 * k + 1 + others.length));
  for (let step = 0; step < 300; step++) {
    let next = axis.map((_, a) => axis.reduce((sum, v, b) => sum + spread[a * size + b] * v, 0));
    if (next.every((v) => Math.abs(v) < 1e-12)) next = axis.slice(); // no variance is left
    for (const other of others) { // at right angles to those found before
      const along = next.reduce((sum, v, k) => sum + v * other[k], 0);
      next = next.map((v, k) => v - along * other[k]);
    }
    const norm = Math.hypot(...next) || 1;
    axis = next.map((v) => v / norm);
  }
  return axis[size - 1] < axis[0] ? axis.map((v) => -v) : axis;
}

/* GREY LEVELS. A picture that is dropped becomes symbols: bins of grey that are as even as can be,
   where equal greys share one, as latviz.core.data.bins makes them. */
function quantize(greys, nBins = 8) {
  const counts = new Float64Array(256);
  for (const grey of greys) counts[grey]++;
  const values = Array.from(counts, (_, grey) => grey).filter((grey) => counts[grey]);
  const starts = evenBins(values.map((grey) => counts[grey]), nBins).map((k) => values[k]);
  const bin = Array.from(counts, (_, grey) => starts.filter((start) => start <= grey).length - 1);
  const means = starts.map((_, k) => {
    const own = values.filter((grey) => bin[grey] === k);
    const total = (of) => own.reduce((sum, grey) => sum + of(grey), 0);
    return Math.round(total((grey) => counts[grey] * grey) / total((grey) => counts[grey]));
  });
  while (means.length < 2) means.push(means[0]); // a picture of one grey
  return { symbols: Uint8Array.from(greys, (grey) => bin[grey]), greys: means };
}

function evenBins(counts, nBins) { // returns the index of each bin's first value
  if (counts.length <= nBins) return counts.map((_, k) => k);
  let share = counts.reduce((a, b) => a + b), bins = nBins;
  for (const largest of counts.slice().sort((a, b) => b - a)) { // of a bin, if larger values have one each
    if (bins === 1 || largest * bins <= share) break;
    share -= largest;
    bins--;
  }
  share /= bins;
  const below = [0], capped = [0];
  counts.forEach((pixels, k) => {
    below.push(below[k] + pixels);
    capped.push(capped[k] + Math.min(pixels, share));
  });
  const nearest = (sums, wanted, first, last) => {
    let place = first;
    while (place < last && sums[place] < wanted) place++;
    return place > first && wanted - sums[place - 1] <= sums[place] - wanted ? place - 1 : place;
  };
  const cuts = [0], most = capped[counts.length];
  for (let k = 1; k < nBins; k++) {
    cuts.push(Math.max(cuts[k - 1] + 1, nearest(capped, (most * k) / nBins, 0, counts.length)));
  }
  cuts.push(counts.length);
  for (let moved = true; moved;) { // until no cut makes its two bins more even
    moved = false;
    for (let k = 1; k < nBins; k++) {
      const middle = (below[cuts[k - 1]] + below[cuts[k + 1]]) / 2;
      const best = nearest(below, middle, cuts[k - 1] + 1, cuts[k + 1] - 1);
      if (Math.abs(below[best] - middle) < Math.abs(below[cuts[k]] - middle)) {
        cuts[k] = best;
        moved = true;
      }
    }
  }
  return cuts.slice(0, -1);
}
