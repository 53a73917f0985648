"""The error function. At most 2 units in the last place off."""

from __future__ import annotations

from xdsl.dialects.builtin import Float64Type

from kina.lowering.elementary import elementary, horner
from kina.lowering.exponential import exp
from kina.lowering.scalar import Scalar

# `erf(a) = a + a near(a^2)` up to 0.92. Relative error: 2^-31.
_NEAR_F32 = (
    0.12837917,
    -0.37612632,
    0.11283688,
    -0.02685894,
    0.0051999064,
    -0.0008130012,
    8.316772e-05,
)
# `log(1 - erf(a))` from there to 4, where the F32 nearest to erf is 1. Relative error of erf: 2^-34.
_LOG_COMPLEMENT_F32 = (
    0.00017468297,
    -1.1295149,
    -0.6333469,
    -0.10828007,
    0.025119415,
    -0.004171058,
    0.00043446154,
    -2.1094955e-05,
)
# `erf(a) = a + a near(a^2)` up to 0.89. Relative error: 2^-60.
_NEAR_F64 = (
    0.1283791670955126,
    -0.37612638903183726,
    0.11283791670953704,
    -0.026866170644806633,
    0.005223977621603227,
    -0.0008548326754920187,
    0.00012055321042210714,
    -1.4925299739684796e-05,
    1.6455213931548787e-06,
    -1.6275476083496027e-07,
    1.4046047025673445e-08,
    -8.481849164167657e-10,
)
# `exp(a^2) (1 - erf(a))` from there to 6, in `(a - 2) / (a + 2)`. Relative error of erf: 2^-64.
_COMPLEMENT_F64 = (
    0.25539567631050575,
    -0.4271858474139584,
    0.24165819424246351,
    -0.07897858101578557,
    0.0037328924045754203,
    0.006997461747683559,
    -0.0008471432254386775,
    -0.0009819773668074698,
    4.355326037331558e-05,
    0.00017436170907159378,
    2.757215003577769e-05,
    -2.744872463786322e-05,
    -1.407593803364324e-05,
    2.138144665741518e-07,
    1.620412792602121e-06,
)


def _erf(x: Scalar) -> Scalar:
    """A polynomial near 0, else 1 less the complement; the sign of x."""
    a = x.absolute()
    square = a * a
    if isinstance(x.type, Float64Type):
        limit, near = 0.89, horner(square, _NEAR_F64)
        b = a.compare("gt", 6.0).select(6.0, a)
        complement = exp(-(b * b)) * horner((b - 2.0) / (b + 2.0), _COMPLEMENT_F64)
    else:
        limit, near = 0.92, horner(square, _NEAR_F32)
        b = a.compare("gt", 4.0).select(4.0, a)
        complement = exp(horner(b, _LOG_COMPLEMENT_F32))
    return a.compare("lt", limit).select(near.fma(a, a), 1.0 - complement).copysign(x)


erf = elementary("erf", _erf)
