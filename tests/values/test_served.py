"""An answer about serving says whose batch it takes, and that more is asked for than fits."""

from documents import run
from looping import each

import workings
from workings import catalogue
from workings.errors import UserError
from workings.scenario import preset_names

WIDTHS = {"served_width": "2 byte", "cache_width": "2 byte"}
# Of 80 GB a device keeps 17.638 GB of weights (70,553,706,496 of 2 bytes, over 8 devices). A token's
# keys and values take 40,960 bytes of it (80 blocks, one of 8 heads, 128 numbers, two of 2 bytes), so
# that 62.362 GB hold 1,522,499 tokens: 185 sequences of 8,192, and not quite 186.
SERVED = {"model": "llama3-70b", "hardware": "h100-sxm", "tp": "8", "sequence_length": "8192", **WIDTHS}
TOO_MANY = "sequences do not fit into the memory of these devices beside the weights: at most"


def said(id_: str, at: str | None = None, **settings: str) -> str:
    return "\n".join(workings.value(id_, at=at, set=settings).notices)


# --- whose batch it is --------------------------------------------------------------------------


def test_a_batch_and_a_length_that_are_the_trainings_are_said_to_be() -> None:
    told = said("kv-cache-bytes", "llama3-70b-64")
    assert "b is what llama3-70b-64.toml trains with: --set batch=… gives what is served." in told
    assert "s is what llama3-70b-64.toml trains with: --set sequence_length=… gives what is" in told


@each("batch, length", [("batch", "sequence_length"), ("b", "s"),
                        ("training.batch", "training.sequence_length")])  # fmt: skip
def test_what_is_set_by_whatever_name_is_no_longer_the_trainings(batch: str, length: str) -> None:
    half = said("kv-cache-bytes", "llama3-70b-64", **{batch: "8"})
    assert "b is what" not in half
    assert "s is what" in half
    assert said("kv-cache-bytes", "llama3-70b-64", **{batch: "8", length: "1024"}) == ""


def test_a_letter_that_is_solved_for_is_not_the_trainings() -> None:
    found = workings.solve("kv-cache-bytes", "< 40 GB", letter="b", at="llama3-70b-64")
    assert [one.partition(" ")[0] for one in found.notices] == ["s"]


def test_nobody_trains_where_a_model_and_a_device_are_named_and_nothing_else() -> None:
    assert said("decode-step-time", **SERVED, batch="8") == ""


def test_in_chapters_about_training_a_batch_is_the_trainings_without_a_word() -> None:
    assert said("attention-core-flops", "llama3-70b-64") == ""
    assert said("tp-step-bytes", "llama3-70b-64") == ""


# --- what does not fit --------------------------------------------------------------------------

WITH_A_BATCH = ("decode-step-time", "decode-throughput", "serving-memory", "decode-bytes")


@each("id_", WITH_A_BATCH)
def test_one_sequence_more_than_fits_is_said_with_how_many_do(id_: str) -> None:
    assert said(id_, **SERVED, batch="186") == f"186 {TOO_MANY} 185 do (largest-serving-batch)."
    assert said(id_, **SERVED, batch="185") == ""


def test_a_length_by_its_letter_and_another_device_move_how_many_fit() -> None:
    short = SERVED | {"s": "4096"}
    del short["sequence_length"]
    assert said("decode-step-time", **short, b="371") == ""  # half as long: 1,522,499 / 4,096 = 371.7
    assert said("decode-step-time", **short, b="372").startswith(f"372 {TOO_MANY} 371 do")
    larger = SERVED | {"hardware": "h200-sxm"}  # 123.362 GB / 40,960 bytes / 8,192 = 367.6
    assert said("decode-step-time", **larger, batch="367") == ""
    assert said("decode-step-time", **larger, batch="368").startswith(f"368 {TOO_MANY} 367 do")


def test_latents_which_every_device_keeps_whole_have_a_limit_of_their_own() -> None:
    """671e9 bytes on 8 devices leave 57.125 of 141 GB; a sequence takes 61 · 576 · 8,192 bytes of it."""
    latent = {"hardware": "h200-sxm", "parameters": "671e9", "tp": "8", "sequence_length": "8192",
              "served_width": "1 byte", "cache_width": "1 byte"}  # fmt: skip
    assert said("mla-serving-memory", "deepseek-v3", **latent, batch="198") == ""
    told = said("mla-serving-memory", "deepseek-v3", **latent, batch="199")
    assert told == f"199 {TOO_MANY} 198 do (mla-largest-serving-batch)."


def test_weights_that_leave_no_room_are_said_with_the_devices_that_they_take() -> None:
    """141 GB on one device of 80 GB."""
    told = said("decode-step-time", **SERVED | {"tp": "1"}, batch="1")
    assert told == (
        "The weights alone do not fit into the memory of 1 of these devices: it takes 2 at least "
        "(devices-for-weights)."
    )
    assert said("decode-step-time", **SERVED | {"tp": "2"}, batch="1") == ""


def test_without_a_device_or_widths_nothing_is_said_to_fit_or_not() -> None:
    plenty = {"batch": "1000000", "sequence_length": "8192"}
    assert said("serving-memory", "llama3-70b", tp="8", **WIDTHS, **plenty) == ""
    assert said("decode-flops", **plenty, model="llama3-70b", hardware="h100-sxm") == ""


@each("id_, settings", [
    ("split-cache-bytes", {"tp": "8"}),  # whole sequences are dealt out, no head is copied
    ("longest-serving-context", {"tp": "8", "served_width": "2 byte"}),  # the length is what is asked
    ("devices-for-serving", {"served_width": "2 byte"}),  # as many devices as it takes
    ("prefix-shared-bytes", {"prefix_tokens": "64", "page_tokens": "16"}),  # what is kept once
    ("generation-uncached-flops", {"output_tokens": "8"}),  # no cache at all
])  # fmt: skip
def test_an_entry_whose_caches_are_others_says_nothing_of_what_fits(
    id_: str, settings: dict[str, str]
) -> None:
    known = {c.name for c in catalogue.get(id_).letters.values()}
    shared = {"batch": "1000", "sequence_length": "8192", "cache_width": "2 byte"}
    given = {name: text for name, text in shared.items() if name in known}
    assert said(id_, "h100-sxm", model="llama3-70b", **given, **settings) == ""


def test_a_batch_that_is_solved_for_may_be_more_than_fits() -> None:
    widely = workings.solve("decode-step-time", "< 200 ms", letter="batch", set=SERVED)
    assert widely.at is not None
    assert widely.notices == (
        f"{int(widely.at):,} {TOO_MANY} 185 do (largest-serving-batch).",
    )  # fmt: skip
    assert workings.solve("decode-step-time", "< 20 ms", letter="batch", set=SERVED).notices == ()


def test_a_length_that_is_solved_for_is_the_one_that_has_to_fit() -> None:
    """64 sequences share 1,522,499 tokens: 23,789 each."""
    settings = {name: text for name, text in SERVED.items() if name != "sequence_length"}
    for limit, fits in (("< 23 ms", True), ("< 30 ms", False)):
        found = workings.solve("decode-step-time", limit, letter="s", set=settings | {"batch": "64"})
        assert found.at is not None
        assert (found.at <= 23_789) == fits
        assert (found.notices == ()) == fits


def test_a_letter_whose_solution_is_a_range_leaves_what_fits_open() -> None:
    settings = {name: text for name, text in SERVED.items() if name != "cache_width"}
    found = workings.solve("decode-step-time", "< 90 ms", letter="w_kv", set=settings | {"batch": "1000"})
    assert found.ranges
    assert found.notices == ()


def test_the_command_line_prints_what_does_not_fit() -> None:
    pairs = [word for pair in {**SERVED, "batch": "640"}.items() for word in ("--set", "=".join(pair))]
    shown = run("value", "decode-step-time", *pairs)
    assert shown.exit_code == 0
    assert " ".join(shown.stdout.split()).endswith(
        f"Note: 640 {TOO_MANY} 185 do (largest-serving-batch)."
    )


def test_no_entry_of_the_chapter_stumbles_over_its_notices_wherever_it_is_asked() -> None:
    """Over the chapter, at every scenario: no other error than those that a user is told."""
    noticed = 0
    for what in catalogue.every("serving"):
        for name in preset_names("scenarios"):
            try:
                noticed += bool(workings.value(what.id, at=name).notices)
            except UserError:  # it is for another kind of model, or lacks letters
                continue
    assert noticed > 100
