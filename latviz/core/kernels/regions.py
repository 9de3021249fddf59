"""Merging regions, one pair of neighbours after another, until one is left.

A region has the number of its first component, which ``parents`` leads to. Its edges are a linked
list of half edges: number ``2 e + s`` is that of edge e at its end s. All state is in the arrays of
a `Work`, so that a loop can be left and continued.

The values of a region are ``sizes`` (R,) int64, ``sums`` (R, C) float64 of the observations, and
``costs`` (R,), the bits of its own code. Symbols have a ``table`` of log Gamma(k + 1/2) and as
``prior`` half their number; vectors have no table, and as prior the spread of means, in units of
the observations, by channel.
"""

import math

import numpy as np

from latviz.core.kernels.compiler import callee, njit

_LOG_2 = math.log(2.0)
_HALF = math.lgamma(0.5)
_POWER = 0.2
"""Of the sizes of two regions in their contrast; 1/2 in the root of Fast PNN's cost."""
_GRAINS = 2.0**20
"""Evidence is rounded to 1/_GRAINS bits, so that rounding errors do not break ties."""


@njit(nogil=True)
def table_of(size):
    """Return log Gamma(k + 1/2) for k from 0 on, (size,) float64."""
    table = np.empty(size)
    for k in range(size):
        table[k] = math.lgamma(k + 0.5)
    return table


@callee()
def cost(sums, sizes, a, b, prior, table):
    """Return the bits of one code for regions a and b; for a alone if b is a."""
    weight = 0.0 if a == b else 1.0
    n = sizes[a] + weight * sizes[b]
    total = 0.0
    if table.size:
        total = math.lgamma(n + prior[0]) - math.lgamma(prior[0])
        for c in range(sums.shape[1]):
            k = int(sums[a, c] + weight * sums[b, c])
            if k:
                total -= (table[k] if k < table.size else math.lgamma(k + 0.5)) - _HALF
    else:
        for c in range(sums.shape[1]):
            s = sums[a, c] + weight * sums[b, c]
            spread = 1.0 + n * prior[c]
            total += 0.5 * (math.log(spread) - s * s * prior[c] / spread)
    return total / _LOG_2


@njit(nogil=True)
def own_costs(sums, sizes, prior, table):
    """Return the bits of the code of each region, (R,) float64."""
    costs = np.empty(sizes.size)
    for r in range(sizes.size):
        costs[r] = cost(sums, sizes, r, r, prior, table)
    return costs


@callee()
def between(values, a, b, prior, table):
    """Return the evidence between two regions: the bits that one code for both costs more."""
    sizes, sums, costs = values
    more = cost(sums, sizes, a, b, prior, table) - (costs[a] + costs[b])
    return np.rint(more * _GRAINS) / _GRAINS


@njit(nogil=True)
def evidence(ends, values, prior, table):
    """Return the evidence between the regions at the ends of each edge, (E,) float64."""
    found = np.empty(len(ends))
    for e in range(len(ends)):
        found[e] = between(values, ends[e, 0], ends[e, 1], prior, table)
    return found


# A heap of numbers, the least key first and of equal keys the least number


@callee()
def comes_first(keys, i, j):
    """Return True if i is taken before j."""
    return keys[i] < keys[j] or (keys[i] == keys[j] and i < j)


@callee()
def sift_up(heap, place, keys, at):
    """Move an item towards the top, until the one above comes first."""
    item = heap[at]
    while at > 0:
        above = (at - 1) // 2
        if not comes_first(keys, item, heap[above]):
            break
        heap[at] = heap[above]
        place[heap[at]] = at
        at = above
    heap[at] = item
    place[item] = at


@callee()
def sift_down(heap, place, keys, at, length):
    """Move an item away from the top, until it comes before those below."""
    item = heap[at]
    while True:
        below = 2 * at + 1
        if below >= length:
            break
        if below + 1 < length and comes_first(keys, heap[below + 1], heap[below]):
            below += 1
        if not comes_first(keys, heap[below], item):
            break
        heap[at] = heap[below]
        place[heap[at]] = at
        at = below
    heap[at] = item
    place[item] = at


@callee()
def put(queue, item, key, length):
    """Give an item of a heap another key; one that is not in it is left alone."""
    heap, place, keys = queue
    keys[item] = key
    if place[item] >= 0:
        sift_up(heap, place, keys, place[item])
        sift_down(heap, place, keys, place[item], length)


@callee()
def drop_first(queue, length):
    """Remove the first item of a heap; return the number of remaining ones."""
    heap, place, keys = queue
    place[heap[0]] = -1
    length -= 1
    if length:
        heap[0] = heap[length]
        place[heap[0]] = 0
        sift_down(heap, place, keys, 0, length)
    return length


@njit(nogil=True)
def make_heap(queue):
    """Arrange all items as a heap."""
    heap, place, keys = queue
    for at in range(heap.size - 1, -1, -1):
        sift_down(heap, place, keys, at, heap.size)


# Regions and their edges


@callee()
def root(parents, r):
    """Return the region that a component is in; ways to it become shorter."""
    while parents[r] != r:
        parents[r] = parents[parents[r]]
        r = parents[r]
    return r


@njit(nogil=True)
def link(ends, lists):
    """Fill the lists of half edges of components, in the order of edges."""
    heads, tails, after, degrees = lists
    for e in range(len(ends)):
        for s in range(2):
            r, half = ends[e, s], 2 * e + s
            if degrees[r]:
                after[tails[r]] = half
            else:
                heads[r] = half
            tails[r] = half
            degrees[r] += 1


@callee()
def tidy(own, region, ends, lists, parents, gone, marks, stamp):
    """Remove a list's edges inside a region, and all but the first to each other region."""
    # The list is that of ``own``, which is the region or was merged into it; removed edges are
    # ``gone`` from all lists
    heads, tails, after, degrees = lists
    half, last, n = heads[own], -1, 0
    for _ in range(degrees[own]):
        e, following = half // 2, after[half]
        other = root(parents, ends[e, 1 - half % 2])
        if gone[e] or other == region or marks[other] == stamp:
            gone[e] = True
        else:
            marks[other] = stamp
            if last < 0:
                heads[own] = half
            else:
                after[last] = half
            last, n = half, n + 1
        half = following
    tails[own], degrees[own] = last, n


@callee()
def chain(a, b, lists):
    """Append the list of b to that of a."""
    heads, tails, after, degrees = lists
    if degrees[b]:
        if degrees[a]:
            after[tails[a]] = heads[b]
        else:
            heads[a] = heads[b]
        tails[a] = tails[b]
        degrees[a] += degrees[b]


@callee()
def unite(a, b, parents, values, prior, table, names, merges, n_merges):
    """Merge region b into a, which comes before it, and note it as merge number ``n_merges``."""
    sizes, sums, costs = values
    costs[a] = cost(sums, sizes, a, b, prior, table)
    for c in range(sums.shape[1]):
        sums[a, c] += sums[b, c]
    sizes[a] += sizes[b]
    note(a, b, parents, names, merges, n_merges)


@callee()
def note(a, b, parents, names, merges, n_merges):
    """Note region b as merged into a, as merge number ``n_merges``."""
    parents[b] = a
    merges[n_merges, 0] = min(names[a], names[b])
    merges[n_merges, 1] = max(names[a], names[b])
    names[a] = parents.size + n_merges


@callee()
def renew(own, region, ends, lists, parents, values, prior, table, queue, length):
    """Compute the evidence of all edges of a tidy list again."""
    heads, _, after, degrees = lists
    half = heads[own]
    for _ in range(degrees[own]):
        other = root(parents, ends[half // 2, 1 - half % 2])
        put(queue, half // 2, between(values, region, other, prior, table), length)
        half = after[half]


@njit(nogil=True)
def by_evidence(ends, graph, values, prior, table, queue, merges, heights, state, n_steps):
    """Merge the pair of least evidence up to n_steps times; return if none is left."""
    # ends (E, 2) int64: the components of each edge, the lesser first, in lexicographic order.
    # graph: lists of half edges, parents, gone (E,) bool, marks (R,), names (R,) of regions among
    # components and merges, fed (R,): nodes added to a region since the evidence of all its edges
    # was computed. values: sizes, sums, costs. queue: a heap of edges, the place of each in it,
    # keys (their evidence). merges (R - 1, 2) int64 and heights (R - 1,) float64, written. state
    # (3,) int64: the numbers of merges and of edges in the heap, and the last mark, so that a call
    # continues where the last one ended
    lists, parents, gone, marks, names, fed = graph
    sizes = values[0]
    heap, _, keys = queue
    n_merges, length, stamp = state
    for _ in range(n_steps):
        if not length:
            break
        e = heap[0]
        a, b = root(parents, ends[e, 0]), root(parents, ends[e, 1])
        if gone[e] or a == b:
            gone[e] = True
            length = drop_first(queue, length)
            continue
        now = between(values, a, b, prior, table)
        if now > keys[e]:
            put(queue, e, now, length)
            continue
        gone[e] = True
        length = drop_first(queue, length)
        a, b = min(a, b), max(a, b)
        most, least = (a, b) if sizes[a] >= sizes[b] else (b, a)
        taken = fed[most] + sizes[least]
        unite(a, b, parents, values, prior, table, names, merges, n_merges)
        before = heights[n_merges - 1] if n_merges else 0.0
        heights[n_merges] = max(before, now)
        n_merges += 1
        stamp += 1
        own = least
        if taken >= lists[3][a] + lists[3][b]:
            chain(a, b, lists)
            own, taken = a, 0
        tidy(own, a, ends, lists, parents, gone, marks, stamp)
        renew(own, a, ends, lists, parents, values, prior, table, queue, length)
        if taken:
            chain(a, b, lists)
        fed[a] = taken
    state[0], state[1], state[2] = n_merges, length, stamp
    return length == 0


@callee()
def nearest(region, ends, lists, parents, values, prior, table):
    """Return the edge of least evidence of a region whose list is tidy; -1 without one."""
    heads, _, after, degrees = lists
    best, least, half = -1, np.inf, heads[region]
    for _ in range(degrees[region]):
        e = half // 2
        other = root(parents, ends[e, 1 - half % 2])
        bits = between(values, region, other, prior, table)
        if bits < least or (bits == least and e < best) or best < 0:
            best, least = e, bits
        half = after[half]
    return best


@njit(nogil=True)
def by_size(ends, graph, values, prior, table, queue, merges, heights, state, n_steps):
    """Merge the smallest region into its neighbour of least evidence, again and again."""
    # As `by_evidence`, but the heap holds regions, and heights are sizes of merged regions. A
    # region without neighbours stays unchanged
    lists, parents, gone, marks, names, _ = graph
    sizes, heap = values[0], queue[0]
    n_merges, length, stamp = state
    for _ in range(n_steps):
        if not length:
            break
        region = heap[0]
        stamp += 1
        tidy(region, region, ends, lists, parents, gone, marks, stamp)
        e = nearest(region, ends, lists, parents, values, prior, table)
        if e < 0:
            length = drop_first(queue, length)
            continue
        gone[e] = True
        near, far = root(parents, ends[e, 0]), root(parents, ends[e, 1])
        a, b = min(near, far), max(near, far)
        heights[n_merges] = sizes[region]
        unite(a, b, parents, values, prior, table, names, merges, n_merges)
        n_merges += 1
        chain(a, b, lists)
        put(queue, b, -1.0, length)
        length = drop_first(queue, length)
        put(queue, a, float(sizes[a]), length)
    state[0], state[1], state[2] = n_merges, length, stamp
    return length == 0


@callee()
def apart(a, b, values, channels):
    """Return the contrast of the signatures of two whole regions, from 0 to 1."""
    sizes, _, sums = values
    ends, weights, full, _ = channels
    found = total = 0.0
    for k in range(weights.size):
        squares = one = other = 0.0
        for m in range(ends[k], ends[k + 1]):
            p, q = sums[a, m] / sizes[a], sums[b, m] / sizes[b]
            one += p
            other += q
            if p != q:
                squares += (p - q) ** 2 / (p + q)
        share = max(one, other) / full
        found += weights[k] * math.sqrt(0.5 * squares / full * share)
        total += weights[k] * share
    return found / total


@callee()
def excess(e, a, b, values, edges, channels):
    """Return the contrast of an edge, between regions a and b; see `contrast_regions`."""
    sizes, inside, _ = values
    along, lengths = edges
    within = max(inside[a] / sizes[a], inside[b] / sizes[b])
    found = along[e] / lengths[e] - 0.5 * within + 0.5 * apart(a, b, values, channels)
    share = sizes[a] * sizes[b] / ((sizes[a] + sizes[b]) * channels[3])
    return np.rint(found * share**_POWER * _GRAINS) / _GRAINS


@njit(nogil=True)
def contrasts(ends, values, edges, channels):
    """Return the contrast of each edge, (E,) float64, rounded as evidence is."""
    found = np.empty(len(ends))
    for e in range(len(ends)):
        found[e] = excess(e, ends[e, 0], ends[e, 1], values, edges, channels)
    return found


@callee()
def pool(region, ends, lists, parents, gone, marks, values, edges, channels, queue, length):
    """Pool all edges of a list to the same other region in the first, and renew its contrast."""
    # Edges inside the region are removed. marks (R,): the edge that is kept to each other region
    heads, tails, after, degrees = lists
    along, lengths = edges
    half, last, n = heads[region], -1, 0
    for _ in range(degrees[region]):
        e, following = half // 2, after[half]
        other = root(parents, ends[e, 1 - half % 2])
        if gone[e] or other == region:
            gone[e] = True
        elif marks[other] >= 0:
            along[marks[other]] += along[e]
            lengths[marks[other]] += lengths[e]
            gone[e] = True
        else:
            marks[other] = e
            if last < 0:
                heads[region] = half
            else:
                after[last] = half
            last, n = half, n + 1
        half = following
    tails[region], degrees[region] = last, n
    half = heads[region]
    for _ in range(n):
        e = half // 2
        other = root(parents, ends[e, 1 - half % 2])
        put(queue, e, excess(e, region, other, values, edges, channels), length)
        marks[other] = -1
        half = after[half]


@njit(nogil=True)
def by_contrast(ends, graph, values, edges, channels, queue, merges, heights, state, n_steps):
    """Merge the pair of least contrast up to n_steps times; return if none is left."""
    # As `by_evidence`. values: sizes and sums of contrasts inside regions, (R,) float64, and sums
    # of their nodes' signatures, (R, M) float64; edges: sums of contrasts along edges, and their
    # lengths, (E,) float64. channels: ends (C + 1,) of their columns, weights (C,) float64, what
    # the columns of a channel add up to at a node, and the number of nodes. Contrasts are always
    # those of all regions merged into the two
    lists, parents, gone, marks, names, _ = graph
    sizes, inside, sums = values
    heap, _, keys = queue
    n_merges, length, _ = state
    for _ in range(n_steps):
        if not length:
            break
        e = heap[0]
        length = drop_first(queue, length)
        if gone[e]:
            continue
        gone[e] = True
        near, far = root(parents, ends[e, 0]), root(parents, ends[e, 1])
        a, b = min(near, far), max(near, far)
        before = heights[n_merges - 1] if n_merges else 0.0
        heights[n_merges] = max(before, keys[e])
        note(a, b, parents, names, merges, n_merges)
        n_merges += 1
        sizes[a] += sizes[b]
        inside[a] += inside[b]
        sums[a] += sums[b]
        chain(a, b, lists)
        pool(a, ends, lists, parents, gone, marks, values, edges, channels, queue, length)
    state[0], state[1] = n_merges, length
    return length == 0


@njit(nogil=True)
def cut(merges, n, n_merges):
    """Return the region of each component (n,) int32 after some merges, by first components."""
    inside = np.empty(n + n_merges, np.int64)
    for k in range(n + n_merges):
        inside[k] = k
    for k in range(n_merges - 1, -1, -1):
        inside[merges[k, 0]] = inside[merges[k, 1]] = inside[n + k]
    numbers, found = np.full(n + n_merges, -1, np.int32), np.empty(n, np.int32)
    n_regions = 0
    for k in range(n):
        if numbers[inside[k]] < 0:
            numbers[inside[k]] = n_regions
            n_regions += 1
        found[k] = numbers[inside[k]]
    return found


@njit(nogil=True)
def grow(merges, least, sizes, nodes, sums):
    """Return the life of each region and merge, (R + K,) int64; -1 up to the ``least`` size."""
    # sizes (R + K,), nodes (R + K,) and sums (R + K, C) are those of regions, and become those of
    # merges; the life of the larger of two goes on, and its node
    n_regions, n_lives = len(sizes) - len(merges), 0
    lives = np.full(len(sizes), -1, np.int64)
    for r in range(len(sizes)):
        if r >= n_regions:
            a, b = merges[r - n_regions]
            most = a if sizes[a] >= sizes[b] else b
            sizes[r], nodes[r], lives[r] = sizes[a] + sizes[b], nodes[most], lives[most]
            for c in range(sums.shape[1]):
                sums[r, c] = sums[a, c] + sums[b, c]
        if lives[r] < 0 and sizes[r] > least:
            lives[r] = n_lives
            n_lives += 1
    return lives
