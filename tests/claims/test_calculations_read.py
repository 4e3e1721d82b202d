"""What is read as a relation between two calculations, however it is written."""

from workings.claims.claim import Finding
from workings.claims.page import page_of
from workings.claims.rules import judged
from workings.reading.reading import read_document

TRUE = ("ok", "rounds")


def found(text: str, ending: str = "md") -> list[Finding]:
    return judged(page_of(read_document(f"page.{ending}", text)))


def true_figures(text: str, ending: str = "md") -> list[str]:
    """The results of calculations; the rule that weighs amounts by their digits is no concern here."""
    calculated = (one for one in found(text, ending) if one.rule != "calculation-in-words")
    return [one.written for one in calculated if one.word in TRUE]


def wrong_figures(text: str) -> list[str]:
    return [one.written for one in found(text) if one.word == "wrong"]


def test_a_calculation_goes_on_from_the_figure_before_it() -> None:
    for text, figures in (
        ("One expert has 3·4096·14336 = 176.2M, times 8 = 1.41B a layer, times 32 = 45.1B in all.", 3),
        ("By hand: 0.9 · 320 = 288 GB, minus 141.2 GB leaves 146.8 GB for the cache.", 3),
        ("A pass takes 6.2 GB / 13.4 TB/s = 0.46 ms a token, x5 = 2.31 ms.", 2),
        ("KV a token: 2 * 32 * 8 * 128 * 2 B = 131,072 B\nx 32,768 = 4.29 GB", 2),
        ("Le total fait 12 × 4,5 Go = 54 Go, divisé par 8 = 6,75 Go, pour la carte et les autres.", 2),
        ("每卡 16 × 2.5 GB = 40 GB，乘以 8 = 320 GB，加 20 GB = 340 GB。", 3),
        ("We keep 1.94B in experts, plus 28 · 16.78M = 0.47B in attention.", 1),
    ):
        assert len(true_figures(text)) == figures, text
    assert wrong_figures("One expert has 3·4096·14336 = 176.2M, times 8 = 14.1B a layer.") == ["14.1B"]


def test_a_line_that_only_may_go_on_from_the_one_above_is_not_accused() -> None:
    assert wrong_figures("The block has 25 MB of data.\nx 64 = 3.2 GB") == []


def test_words_say_the_signs_between_amounts() -> None:
    for text, figures in (
        ("That is 12 times 4 GB is 48 GB.", 1),
        ("Together 8 × 80 GB makes 640 GB, and 80 GB plus 12 GB is 92 GB.", 2),
        ("We need 26.0B tokens at 2 bytes = 52 GB of disk.", 1),
        ("The store has 2^22 × 3 = 12.6 M of them; it is 4 × 2^20, about 4.19 M.", 2),
    ):
        assert len(true_figures(text)) == figures, text
    for text in (
        "Now 8 × 80 GB are 20 GB too little.",
        "The 8x7B model has 8x7B = 46.7B parameters.",
        "Roughly 3.5 × the 40 GB = 140 GB.",
        "We pay 197M per GPU, at 2 + 4 + 12/32 bytes = 1.25 GB more.",
    ):
        assert wrong_figures(text) == [], text


def test_a_phrase_behind_a_comma_says_the_result_and_is_never_accused() -> None:
    for text in (
        "À 32 × 400 TFLOP/s, c'est-à-dire 12,8 PFLOP/s, pour les cartes et le réseau.",
        "Das sind hier 8 · 80 GB, also 640 GB, und nicht mehr.",
        "每卡 8 × 80 GB，即 640 GB。",
    ):
        assert len(true_figures(text)) == 1, text
    assert wrong_figures("We have 8 × 80 GB, that is 20 GB per rank.") == []


def test_signs_and_units_are_read_as_people_write_them() -> None:
    for text, figures in (
        ("It has 4 nodes x 8 = 32 cards, 16x20x28 = 8960 chips and 8x80GB = 640 GB.", 3),
        ("A root: √8 ≈ 2.83, and 10^3 · 10^6 = 10^9; 2^(10−3) = 128.", 3),
        ("Throughput: 1.2M tok/s × 86,400 s/day = 104B tokens/day; 300e9 / 138,240 ≈ 2.17M tokens/s.", 2),
        ("(a) 4096/128 = 32 heads; (b) 32/8 = 4 groups ✓; 3.37/32 = 0.105×", 3),
        ("The link: 400 Gb/s per GPU = 50 GB/s, and 4.5 bits × 70e9 / 8 = 39.4 GB.", 2),
        ("It takes 50,677 h (≈ 5.8 years), or 6 × 7e15 × 86,400 = 42 PFLOP/s-days.", 2),
        ("費用は 1024台 × 57時間 × 400円 = 約2,335万円、つまり 3,000 × 51,610円 = 1億5,483万円。", 2),
        ("처리량은 208 / 21.4 ms ≈ 초당 9,720 토큰이다.", 1),
        ("Es sind 3 · 4 Mrd. = 12 Mrd. Parameter und die 1 Bio. = 10^12.", 2),
    ):
        assert len(true_figures(text)) == figures, (text, true_figures(text))


def test_a_power_of_ten_behind_a_divisor_is_read_either_way() -> None:
    assert wrong_figures("The hour costs 3/3600*10^6/788.8 = 1.056 USD.") == []
    assert wrong_figures("It takes 2.5e12/80 × 10^9 = 31.25 s.") == []
    assert wrong_figures("It takes 3/3600*10^6 = 900 s.") == ["900 s"]


def test_a_unit_that_a_figure_leaves_out_may_be_that_of_its_result_or_of_the_page() -> None:
    assert true_figures("A layer has 418.4 + 205.5 = 623.9 M parameters.") == ["623.9 M"]
    assert wrong_figures("The state of 361.6 GB: 361.6 / 1,536 = 235 MB a card.") == []
    assert wrong_figures("The state: 361.6 / 1,536 = 253 MB a card.") == ["253 MB"]
    assert wrong_figures("The state: 16 × 219,848,638,464 = 3,517,578 GB.") == ["3,517,578 GB"]
    assert wrong_figures("The run takes 5.60e23 / 2.03e17 = 2.76e12 s.") == ["2.76e12 s"]


def test_the_last_digit_counts_where_a_figure_prints_it() -> None:
    assert wrong_figures("It has 4 · 7168^2 = 205,520,985 weights.") == ["205,520,985"]
    assert wrong_figures("处理量为 208 / 21.4 ms ≈ 每秒 9,760 个。") != []


def test_notes_in_a_fence_and_comments_of_a_configuration_are_read() -> None:
    assert len(true_figures("```\nstate   21.2M * 16 B = 0.34 GB\n```")) == 1
    assert len(true_figures("```toml\nbatch = 512  # 512 * 2048 = 1,048,576 tokens\n```")) == 1
    assert true_figures("```toml\nbatch = 512 * 2048\n```") == []


def test_a_letter_of_the_page_may_be_a_unit_too() -> None:
    text = "The batch is $B$.\n\n- weights: 16 B × 7e9 = 112 GB\n"
    assert true_figures(text) == ["112 GB"]


def test_an_accusation_stands_on_the_line_of_its_figure() -> None:
    text = "In BF16 the tied weights occupy 39.91 GB,\nwhich is 42.86 GiB; in FP32 twice that."
    (one,) = [finding for finding in found(text) if finding.word == "wrong"]
    assert one.block.text[one.start : one.end] == "which is 42.86 GiB"


def test_a_sum_over_several_lines_is_one() -> None:
    sums = "    k = 30 × 25 + 29 × 7\n        + 113 + 187\n        = {}\n"
    assert true_figures("Notes.\n\n" + sums.format("1,253")) == ["1,253"]
    assert wrong_figures("Notes.\n\n" + sums.format("1,235")) == ["1,235"]


def test_what_stands_behind_mathematics_in_words_is_a_unit_and_no_factor() -> None:
    text = "A batch of $s = 4$ sequences. It takes $762\\,941$ s, i.e. {} days."
    assert true_figures(text.format("8.83")) == ["8.83 days"]
    assert wrong_figures(text.format("8.38")) == ["8.38 days"]
    page = page_of(read_document("page.md", "We have $N = 1.3\\times10^{10}$（13 B）weights."))
    assert [claim.block.text[slice(*claim.figure)] for claim in page.chains][:1] == ["1.3\\times10^{10"]
