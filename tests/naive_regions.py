"""The oracle of regions: components, outlines, codes and merges in plain loops.

Codes are sequential: each observation by the prediction of those before it.
"""

import math

from tests import naive


def neighbours(shape, t, dimensions):
    """Return the nodes one step from t along one of the last axes."""
    first = len(shape) - dimensions
    return [s for s in naive.neighbours(shape, t) if s[:first] == t[:first]]


def components(states, dimensions):
    """Return the components as lists of nodes, in raster order of their first nodes."""
    found, seen = [], set()
    for start in naive.nodes(states.shape):
        if start in seen:
            continue
        seen.add(start)
        part, ahead = [], [start]
        while ahead:
            t = ahead.pop()
            part.append(t)
            for s in neighbours(states.shape, t, dimensions):
                if s not in seen and states[s] == states[t]:
                    seen.add(s)
                    ahead.append(s)
        found.append(sorted(part))
    return found


def inside(parts):
    """Return the number of each node's part."""
    return {t: k for k, part in enumerate(parts) for t in part}


def borders(shape, parts, dimensions):
    """Return the lengths of borders by pairs of parts, and the outlines of parts."""
    place, lengths, outlines = inside(parts), {}, [0] * len(parts)
    for t in naive.nodes(shape):
        near = neighbours(shape, t, dimensions)
        outlines[place[t]] += 2 * dimensions - len(near)
        for s in near:
            if place[s] != place[t]:
                outlines[place[t]] += 1
                pair = min(place[s], place[t]), max(place[s], place[t])
                lengths[pair] = lengths.get(pair, 0) + 0.5
    return {pair: int(length) for pair, length in sorted(lengths.items())}, outlines


def bits_of_symbols(symbols, M):
    """Return the cost of symbols, each coded by the shares of those before, 1/2 of each added."""
    bits, counts = 0.0, [0] * M
    for n, symbol in enumerate(symbols):
        bits -= math.log2((counts[symbol] + 0.5) / (n + M / 2))
        counts[symbol] += 1
    return bits


def bits_of_numbers(numbers, mean, prior, noise):
    """Return the cost of numbers that are normal around a mean which is normal itself.

    ``prior`` is the variance of that mean, around ``mean``; ``noise`` that of numbers around it.
    """
    bits, m, v = 0.0, mean, prior
    for x in numbers:
        variance = v + noise
        bits += math.log2(2 * math.pi * variance) / 2
        bits += (x - m) ** 2 / (2 * variance * math.log(2))
        m, v = m + v / variance * (x - m), v * noise / variance
    return bits


def code_of_symbols(symbols, M):
    """Return a function from lists of nodes to bits."""
    return lambda part: bits_of_symbols([int(symbols[t]) for t in part], M)


def code_of_vectors(vectors, states, floor):
    """Return a function from lists of nodes to bits; no spread is less than ``floor`` of all's."""
    nodes = list(naive.nodes(states.shape))
    M = vectors.shape[-1]
    channels = []
    for c in range(M):
        values = [float(vectors[t][c]) for t in nodes]
        mean = sum(values) / len(values)
        variance = sum((x - mean) ** 2 for x in values) / len(values)
        noise = 0.0
        for state in {int(states[t]) for t in nodes}:
            own = [float(vectors[t][c]) for t in nodes if states[t] == state]
            noise += sum((x - sum(own) / len(own)) ** 2 for x in own) / len(values)
        channels.append((mean, variance, max(noise, floor**2 * variance)))

    def code(part):
        bits = 0.0
        for c, (mean, variance, noise) in enumerate(channels):
            if variance > 0:
                numbers = [float(vectors[t][c]) for t in part]
                bits += bits_of_numbers(numbers, mean, variance, noise)
        return bits

    return code


class Merging:
    """Parts that are merged; each has the number of its first component."""

    def __init__(self, parts, pairs, code):
        self.parts = {k: list(part) for k, part in enumerate(parts)}
        self.pairs, self.code = list(pairs), code
        self.root = list(range(len(parts)))
        self.names = list(range(len(parts)))
        self.merges, self.heights = [], []

    def ends(self, pair):
        """Return the parts that a pair of components is in now."""
        return self.root[pair[0]], self.root[pair[1]]

    def evidence(self, pair):
        a, b = self.ends(pair)
        both = self.code(self.parts[a] + self.parts[b])
        return round(both - self.code(self.parts[a]) - self.code(self.parts[b]), 5)

    def unite(self, pair, height):
        a, b = sorted(self.ends(pair))
        self.merges.append(tuple(sorted((self.names[a], self.names[b]))))
        self.heights.append(max(height, *self.heights[-1:], 0))
        self.names[a] = len(self.root) + len(self.merges) - 1
        self.parts[a] += self.parts.pop(b)
        self.root = [a if r == b else r for r in self.root]

    def alive(self):
        return [pair for pair in self.pairs if len(set(self.ends(pair))) == 2]


def by_size(parts, pairs, code):
    """Merge the smallest part into its neighbour of least evidence, again and again."""
    work = Merging(parts, pairs, code)
    while alive := work.alive():
        joined = {r for pair in alive for r in work.ends(pair)}
        part = min(joined, key=lambda r: (len(work.parts[r]), r))
        own = [pair for pair in alive if part in work.ends(pair)]
        best = min(own, key=lambda pair: (work.evidence(pair), pair))
        work.unite(best, len(work.parts[part]))
    return work


def by_evidence(parts, pairs, code):
    """Merge the pair of least evidence, again and again."""
    work = Merging(parts, pairs, code)
    while alive := work.alive():
        least, best = min((work.evidence(pair), pair) for pair in alive)
        work.unite(best, least)
    return work


def by_evidence_as_remembered(parts, pairs, code):
    """Do the same, but compute evidence again only if `merging.by_evidence` does."""
    work = Merging(parts, pairs, code)
    keys = {pair: work.evidence(pair) for pair in pairs}
    edges = {k: [pair for pair in pairs if k in pair] for k in work.parts}
    fed = dict.fromkeys(work.parts, 0)

    def tidied(own, region):
        kept, seen = [], {region}
        for pair in own:
            (other,) = {*work.ends(pair)} - {region} or {region}
            if pair in keys and other not in seen:
                kept.append(pair)
                seen.add(other)
            else:
                keys.pop(pair, None)
        for pair in kept:
            keys[pair] = work.evidence(pair)
        return kept

    while keys:
        pair = min(keys, key=lambda pair: (keys[pair], pair))
        a, b = sorted(work.ends(pair))
        if a == b:
            del keys[pair]
        elif (now := work.evidence(pair)) > keys[pair]:
            keys[pair] = now
        else:
            del keys[pair]
            sizes = {r: len(work.parts[r]) for r in (a, b)}
            least = b if sizes[a] >= sizes[b] else a
            taken = fed[a + b - least] + sizes[least]
            work.unite(pair, now)
            if taken >= len(edges[a]) + len(edges[b]):
                edges[a], taken = tidied(edges[a] + edges[b], a), 0
            else:
                edges[least] = tidied(edges[least], a)
                edges[a] = edges[a] + edges[b]
            fed[a] = taken
    return work


def contrasts(shape, parts, heights, channels):
    """Return the contrast of each border, by pairs of parts in order."""
    # channels: each a weight, and the shares of its symbols at each node, (*shape, M), which add
    # up to 1, or to 0 where the channel does not count
    place, along = inside(parts), {}
    for t in naive.nodes(shape):
        for s in naive.neighbours(shape, t):
            if t in place and s in place and place[t] < place[s]:  # others are unknown
                both = (float(heights[t]) + float(heights[s])) / 2
                along.setdefault((place[t], place[s]), []).append(both)
    means = [sum(float(heights[t]) for t in part) / len(part) for part in parts]
    n_nodes = sum(map(len, parts))
    found = {}
    for (a, b), own in sorted(along.items()):
        excess = sum(own) / len(own) - max(means[a], means[b]) / 2
        both = parts[a], parts[b]
        there = [
            max(sum(float(shares[t].sum()) for t in part) / len(part) for part in both)
            for _, shares in channels
        ]
        # the mean over channels, each by its weight and the larger share of nodes that have it; to
        # these nodes the signatures refer
        whole = [
            weight * share * apart(*both, shares, share)
            for (weight, shares), share in zip(channels, there, strict=True)
        ]
        weights = [weight * share for (weight, _), share in zip(channels, there, strict=True)]
        excess += sum(whole) / sum(weights) / 2
        n, m = len(parts[a]), len(parts[b])
        found[a, b] = excess * (n * m / (n + m) / n_nodes) ** (1 / 5)
    return found


def apart(part, other, shares, there):
    """Return the root of half of chi-squared between the mean shares of two parts by ``there``."""
    if not there:
        return 0.0
    total = 0.0
    for m in range(shares.shape[-1]):
        p, q = (sum(float(shares[t][m]) for t in own) / len(own) / there for own in (part, other))
        if p + q > 0:
            total += (p - q) ** 2 / (p + q)
    return math.sqrt(total / 2)


def by_contrast(shape, parts, heights, channels):
    """Return the merges of the pair of least contrast, again and again, and their heights."""
    n, merges, levels = len(parts), [], []
    parts, names = list(map(list, parts)), list(range(len(parts)))
    while found := contrasts(shape, parts, heights, channels):
        (a, b), least = min(found.items(), key=lambda item: item[1])
        merges.append(tuple(sorted((names[a], names[b]))))
        levels.append(max(least, *levels[-1:], 0))
        parts[a] += parts.pop(b)
        names[a] = n + len(merges) - 1
        del names[b]
    return merges, levels


def relabelled(shape, work, n_merges):
    """Return the parts after some merges, in raster order of their first nodes."""
    n = len(work.root)
    groups = {k: {k} for k in range(n)}
    for k, (i, j) in enumerate(work.merges[:n_merges]):
        groups[n + k] = groups.pop(i) | groups.pop(j)
    return sorted(sorted(group) for group in groups.values())
