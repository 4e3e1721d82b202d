"""Real powers of rational numbers, and the best split of a budget between size and data."""

from decimal import Context, Decimal, localcontext
from fractions import Fraction

from ._checks import positive_amount

_FINE = 10**20
_DIGITS = 50
_REACH = 60  # powers of ten that are searched, either way of 1


def power_between(base: Fraction | int, exponent: Fraction) -> tuple[Fraction, Fraction]:
    """Bracket `base ** exponent`: the q-th power of that number is the p-th power of the base.

    p and q are the exponent's numerator and denominator. ValueError if base or exponent is not above 0.
    """
    known = positive_amount("base", base) ** positive_amount("exponent", exponent).numerator
    times = exponent.denominator
    wanted = known.numerator * _FINE**times // known.denominator
    low, high = 0, 1 << (wanted.bit_length() // times + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if middle**times > wanted else (middle, high)
    return Fraction(low, _FINE), Fraction(low + 1, _FINE)


def cheapest_loss(
    size: tuple[Fraction, Fraction], data: tuple[Fraction, Fraction], pairs: Fraction
) -> tuple[Fraction, Fraction]:
    """Bracket the parameters at which size and data together add least to the loss.

    `size` and `data` are each a coefficient and an exponent; parameters times tokens are `pairs`. What
    more parameters take off and what fewer tokens add is tried on both sides of every guess, in decimal
    numbers of 50 digits.
    """
    with localcontext(Context(prec=_DIGITS)):
        a, alpha, b, beta, whole = (_decimal(number) for number in (*size, *data, pairs))

        def added(power_of_ten: Decimal) -> Decimal:
            parameters = 10**power_of_ten
            return a / parameters**alpha + b / (whole / parameters) ** beta

        low, high, nudge = Decimal(-_REACH), Decimal(_REACH), Decimal(10) ** -20
        while high - low > Decimal(10) ** -12:
            middle = (low + high) / 2
            low, high = (middle, high) if added(middle + nudge) < added(middle) else (low, middle)
        return Fraction(10**low), Fraction(10**high)


def balanced_data(
    size: tuple[Fraction, Fraction], data: tuple[Fraction, Fraction], parameters: int
) -> tuple[Fraction, Fraction]:
    """Bracket the tokens at which so many parameters are the best split of what both multiply to.

    With too few tokens a little more of them, and as much less of the parameters, lowers the loss.
    """
    with localcontext(Context(prec=_DIGITS)):
        a, alpha, b, beta, known = (_decimal(Fraction(number)) for number in (*size, *data, parameters))
        nudge = 1 + Decimal(10) ** -20

        def added(tokens: Decimal, times: Decimal) -> Decimal:
            return a / (known / times) ** alpha + b / (tokens * times) ** beta

        low, high = Decimal(-_REACH), Decimal(_REACH)
        while high - low > Decimal(10) ** -12:
            middle = (low + high) / 2
            tokens = 10**middle
            too_few = added(tokens, nudge) < added(tokens, Decimal(1))
            low, high = (middle, high) if too_few else (low, middle)
        return Fraction(10**low), Fraction(10**high)


def _decimal(number: Fraction) -> Decimal:
    return Decimal(number.numerator) / Decimal(number.denominator)
