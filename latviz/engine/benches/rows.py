"""Rows that the tables of several benches have."""

from latviz.core.parameter import Parameter, ParameterChoice, named

MOST_SEED = 2**31 - 1


def seed_row(group: str, tip: str) -> Parameter:
    """Return the row of a seed; the tip names what the seed determines."""
    return Parameter(
        label="Se&ed",
        tip=f"The seed of the random numbers: {tip}",
        group=group,
        bounds=(0, MOST_SEED),
        spacing="none",
    )


def sides(*pixels: int) -> tuple[ParameterChoice, ...]:
    """Return the sizes of a square field to choose from."""
    return named({side: f"{side} × {side} pixels" for side in pixels})


def next_seed(seed: int) -> int:
    """Return the seed that follows; the first after the last."""
    return (seed + 1) % (MOST_SEED + 1)
