"""Classification in plain loops, to compare with `latviz.wings.many.classify`."""

from math import exp, log, pi

from tests import naive, naive_beliefs


def cavity_map(symbols, B, potentials, passes):
    """Return log sum_j c_t(j) b(j, o_t) of each node t, after a number of passes."""
    likelihood = {t: [float(row[symbols[t]]) for row in B] for t in naive.nodes(symbols.shape)}
    _, cavities = naive_beliefs.in_passes(likelihood, potentials, symbols.shape, passes)
    return {
        t: log(sum(c * b for c, b in zip(cavities[t], likelihood[t], strict=True)))
        for t in cavities
    }


def cavity_score(symbols, B, potentials, passes):
    """Return the sum of a `cavity_map`."""
    return sum(cavity_map(symbols, B, potentials, passes).values())


def cavity_score_of_normals(vectors, means, variances, potentials, passes):
    """Return the same for single channels (*shape, 1) by normal densities."""
    shape = vectors.shape[:-1]

    def density(x, mean, variance):
        return exp(-((x - mean) ** 2) / (2 * variance)) / (2 * pi * variance) ** 0.5

    likelihood = {
        t: [density(float(vectors[t][0]), m, v) for m, v in zip(means, variances, strict=True)]
        for t in naive.nodes(shape)
    }
    _, cavities = naive_beliefs.in_passes(likelihood, potentials, shape, passes)
    return sum(
        log(sum(c * b for c, b in zip(cavities[t], likelihood[t], strict=True))) for t in cavities
    )


def windows_map(symbols, codebook, B, w):
    """Return log b(q_t, o_t) of each node, q_t decoded from t's window without t."""
    states, _ = naive.decode_without(symbols, w, codebook, True)
    return {t: log(B[states[t]][symbols[t]]) for t in naive.nodes(symbols.shape)}


def windows_score(symbols, codebook, B, w):
    """Return the sum of a `windows_map`."""
    return sum(windows_map(symbols, codebook, B, w).values())


def data_map(symbols, codebook, B, w):
    """Return log b(q_t, o_t) of each node, q_t decoded from t's window."""
    states = naive.decode(naive.signature_discrete(symbols, w, len(B[0])), codebook)
    return {t: log(B[states[t]][symbols[t]]) for t in naive.nodes(symbols.shape)}


def data_score(symbols, codebook, B, w):
    """Return the sum of a `data_map`."""
    return sum(data_map(symbols, codebook, B, w).values())


def printed_map(symbols, codebook, B, A, w):
    """Return the term of each node in log P, with its pairs."""
    states = naive.decode(naive.signature_discrete(symbols, w, len(B[0])), codebook)
    pairs = naive.pair_terms(states, A, 1.0, "neighbours")
    own = data_map(symbols, codebook, B, w)
    return {t: own[t] + float(pairs[t]) for t in own}


def posteriors(scores, priors, temperature):
    """Return P(class | image) of one image."""
    joints = [s / temperature + log(p) for s, p in zip(scores, priors, strict=True)]
    most = max(joints)
    masses = [exp(joint - most) for joint in joints]
    return [mass / sum(masses) for mass in masses]


def log_loss(rows, truth, priors, temperature, right):
    """Return the summed log loss of rows of scores, whose own class has the target ``right``."""
    total = 0.0
    for row, own in zip(rows, truth, strict=True):
        for k, p in enumerate(posteriors(row, priors, temperature)):
            target = right if k == own else (1 - right) / (len(row) - 1)
            total -= target * log(max(p, 1e-300))
    return total


def features(maps, n):
    """Return the roots of shares of labels, and of unordered pairs along each axis, of one map."""
    shares = [0.0] * n
    for t in naive.nodes(maps.shape):
        shares[maps[t]] += 1 / maps.size
    found = list(shares)
    for axis in range(maps.ndim):
        counts = {(i, j): 0 for i in range(n) for j in range(i, n)}
        for t in naive.nodes(maps.shape):
            r = tuple(x + (a == axis) for a, x in enumerate(t))
            if r[axis] < maps.shape[axis]:
                counts[min(maps[t], maps[r]), max(maps[t], maps[r])] += 1
        total = max(1, sum(counts.values()))
        found += [count / total for count in counts.values()]
    return [value**0.5 for value in found]
