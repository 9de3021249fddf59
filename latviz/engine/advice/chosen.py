"""The N and w that the program sets on request: the adviser's own choice, with its reasons."""

from dataclasses import replace

from latviz.core import digits
from latviz.core.choice.choosing import START, BestWindow
from latviz.core.progress import Progress
from latviz.engine.advice import findings
from latviz.engine.advice.case import Case
from latviz.engine.choosing.sweeping import Sweeping
from latviz.engine.choosing.tradeoff import Chosen, What
from latviz.engine.frames.section import Scope


def chosen(case: Case, what: What, sweeping: Sweeping, progress: Progress | None = None) -> Chosen:
    """Return the N and w to set, and why; raise `Untried` where the choice is not known."""
    # N, noise and dependence are those of the values beneath, as in all advice. w suits the
    # encoding that is shown, because its codebook does
    scope, now = Scope.of(case.frame), case.now
    found = Chosen(scope, what, now.n_states, now.window, "", "", "Rule: none is needed.")
    if case.is_little:
        return replace(found, says="Nothing to choose", because=findings.of_little(case))
    if sweeping.is_flat(case.frame):
        because = f"All its {case.node}s are equal in this encoding."
        return replace(found, says="Nothing to choose", because=because)
    choice = case.found
    some = f" of every second {case.node}" if case.is_sparse else ""
    rule = f"Rule{some}: {choice.rule}. It assumes that {choice.assumption}."
    found = replace(found, rule=rule, dependent=case.are_alike)
    if what == "w":
        return _with_window(case, found, sweeping, progress)
    keeps = case.is_one and not case.is_noise
    n = now.n_states if keeps else case.n_states
    found = replace(found, n_states=n, says=_n(case), because=_why_n(case))
    if what == "N" or n == 1:
        return found
    both = _with_window(case, found, sweeping, progress)
    return replace(both, says=found.says, because=f"{found.because} {both.says}. {both.because}")


def _n(case: Case) -> str:
    """Return N in words, and whether it is another one."""
    n = case.n_states
    named = f"N stays {n}" if n == case.now.n_states else f"N = {n}"
    if case.found.dependent:
        return f"{named}: it is only a start"
    if case.is_noise:
        return f"{named}: states explain nothing here"
    if case.is_one:
        return f"N stays {case.now.n_states}: its states predict better than one"
    if case.without_rims is not None:
        return f"{named}: one more only fits blurred borders"
    return f"{named}: {'one more saves almost nothing' if case.is_certain else 'it is uncertain'}"


def _why_n(case: Case) -> str:
    if case.found.dependent:
        return f"No N is right. {findings.of_dependent(case)}"
    if case.is_noise:
        return findings.of_noise(case)
    if case.is_one:
        return findings.of_mixed(case)
    why = findings.of_states(case) if case.is_certain else findings.of_uncertain(case)
    return f"{why} The light is uneven, so it is levelled first." if case.is_uneven else why


def _with_window(
    case: Case, found: Chosen, sweeping: Sweeping, progress: Progress | None
) -> Chosen:
    """Return a choice with the w for its N, and the reason for w alone."""
    now, n = case.now.window, found.n_states
    if n == 1 or case.is_noise:
        why = findings.says_noise(case) if n > 1 else "With one state, every w gives the same map."
        return replace(found, says=f"w stays {now}", because=why)
    if case.are_alike:
        start = START[1], "it is only a start", f"No w is right. {findings.of_dependent(case)}"
        w, what, because = sweeping.scale(case.frame, n, progress) or start
        w_l = START[1]
    else:
        best = sweeping.best(case.frame, n, progress)
        w, w_l, what = best.window, best.codebook_window, "the prediction error is lowest"
        because = _why_window(case, best)
    says = f"w stays {w}: {what}" if w == now else f"w = {w}: {what}"
    return replace(found, window=w, codebook_window=w_l, says=says, because=because)


def _why_window(case: Case, best: BestWindow) -> str:
    """Return the prediction error of the best window, and of others."""
    assert best.code_lengths is not None
    k, lengths = int(best.code_lengths.argmin()), best.code_lengths
    scale = digits.ErrorScale.of(lengths.tolist(), best.code_length_of_one)
    bound = "at least" if scale.one is None else "at most"
    others = [
        f"{name} windows: {bound} {digits.bits(scale.value(float(rest.min())))}"
        for name, rest in (("smaller", lengths[:k]), ("larger", lengths[k + 1 :]))
        if rest.size
    ]
    least, among = float(lengths[k]), f" ({'; '.join(others)})" if others else ""
    plain = f"is {digits.bits(least)} bits per {case.node}"
    text = plain if scale.one is None else scale.text(least, of=case.node)
    return f"It {text}{among}, with the states learned with w_l = {best.codebook_window}."
