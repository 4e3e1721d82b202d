"""What a live page has worked out at some values it does not work out again; at others it does."""

from live_vectors import Told


def test_the_same_values_are_worked_out_once_and_others_again(told: Told) -> None:
    (found,) = told("kept", [[["1/2", "3"], ["3", "1/2"], ["1/2", "3"], ["1/2", "4"], ["3", "1/2"]]])
    assert found == [["1/2 3", 1], ["3 1/2", 2], ["1/2 3", 2], ["1/2 4", 3], ["3 1/2", 3]]


def test_that_there_is_no_value_is_worked_out_once_too(told: Told) -> None:
    (found,) = told("kept", [[[], []]])
    assert found == [["of nothing", 1], ["of nothing", 1]]


def test_of_many_values_the_last_asked_for_are_kept(told: Told) -> None:
    others = [[str(n)] for n in range(1, 24)]
    (found,) = told("kept", [[["0"], ["99"], *others, ["0"], ["99"]]])
    assert [worked for _, worked in found[-2:]] == [26, 27]
    (found,) = told("kept", [[["0"], ["99"], *others[:12], ["0"], *others[12:], ["0"], ["99"]]])
    assert [worked for _, worked in found[-2:]] == [25, 26]
