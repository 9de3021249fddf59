"""Checks of maps of states, and of what a model is made of."""

import numpy as np
from numpy.typing import ArrayLike

from latviz.core.data.lattice import as_floats, check_states, first_bad
from latviz.core.errors import ParameterError
from latviz.core.types import Matrix, States


def check_emissions(B: ArrayLike, name: str = "B") -> Matrix:
    """Return B as float64, or raise `ParameterError` if its rows are no distributions."""
    matrix = as_floats(name, B)
    if matrix.ndim != 2 or matrix.size == 0:
        raise ParameterError(f"{name} must have shape (N, M), got {matrix.shape}")
    good = (matrix >= 0) & np.isfinite(matrix)
    if not good.all():
        raise ParameterError(f"{name} must be finite and >= 0, got {first_bad(good, matrix)}")
    sums = matrix.sum(axis=1)
    near = np.isclose(sums, 1.0, rtol=0.0, atol=1e-6)
    if not near.all():
        raise ParameterError(f"each row of {name} must sum to 1, got {first_bad(near, sums)}")
    return matrix


def check_sizes(A: Matrix, codebook: Matrix, name: str) -> None:
    """Raise `ParameterError` if a codebook (N, M) does not fit A (N, N) or is not finite."""
    if codebook.ndim != 2 or len(codebook) != len(A):
        raise ParameterError(f"{name} must have shape ({len(A)}, M) as A has, got {codebook.shape}")
    if not np.isfinite(codebook).all():
        raise ParameterError(f"{name} must be finite, got {codebook}")
    check_states(len(A))


def cholesky(covariances: Matrix, means: Matrix) -> Matrix:
    """Return the lower Cholesky factors, or raise `ParameterError` if there are none."""
    shape = (*means.shape, means.shape[1])
    if covariances.shape != shape:
        raise ParameterError(f"covariances must have shape {shape}, got {covariances.shape}")
    finite = np.isfinite(covariances)
    if not finite.all():
        raise ParameterError(f"covariances must be finite, got {first_bad(finite, covariances)}")
    if not np.allclose(covariances, covariances.transpose(0, 2, 1), rtol=1e-8, atol=0.0):
        raise ParameterError("covariances must be symmetric")
    try:
        return np.asarray(np.linalg.cholesky(covariances))
    except np.linalg.LinAlgError:
        least = np.linalg.eigvalsh(covariances)[:, 0]
        raise ParameterError(
            f"covariances must be positive definite, got least eigenvalues {least}"
        ) from None


def check_map(states: ArrayLike, n_states: int) -> States:
    """Return a map of states as contiguous uint8, or raise `ParameterError`."""
    check_states(n_states)
    array = np.asarray(states)
    if array.ndim < 1 or array.size == 0 or array.dtype.kind not in "iu":
        raise ParameterError(
            f"states must be a non-empty array of integers, got {array.dtype} {array.shape}"
        )
    if array.min() < 0 or array.max() >= n_states:
        raise ParameterError(
            f"states must be from 0 to {n_states - 1}, got {array.min()} to {array.max()}"
        )
    return np.ascontiguousarray(array, dtype=np.uint8)


def check_adjacency(A: ArrayLike) -> Matrix:
    """Return A as float64, or raise `ParameterError` if it is no adjacency potential."""
    matrix = as_floats("A", A)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or matrix.size == 0:
        raise ParameterError(f"A must be a square matrix, got shape {matrix.shape}")
    good = np.isfinite(matrix) & (matrix >= 0)
    if not good.all():
        raise ParameterError(f"A must be finite and >= 0, got {first_bad(good, matrix)}")
    return matrix
