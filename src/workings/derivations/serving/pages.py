"""Pages.

How long a sequence will be is not known when it begins. A server that reserves room for the longest
wastes what is never filled; pages of a few tokens, given out as a sequence grows, waste less than one of
them. Sequences that begin alike share the full pages of their beginning.
"""

from fractions import Fraction

from workings.derivation import derivation, like
from workings.derivation.entry import only_if
from workings.derivations.serving._sources import PAGED_ATTENTION, VLLM_CONCURRENCY, VLLM_PREFIX
from workings.derivations.serving.devices import (
    CACHE_TOKENS,
    NOT_COUNTED,
    OF_THE_MEMORY,
    RANK_CACHE,
    ROOM,
    fill,
    numbers_on_a_rank,
    share_weights,
)
from workings.derivations.serving.kv_cache import CACHE, FEW, KV_TOKEN_BYTES, feed_one_token
from workings.simulate.kv_cache import stored
from workings.simulate.paging import Pool
from workings.units import BYTE, ONE
from workings.vocabulary.kinds import WITHOUT_LATENT
from workings.vocabulary.serving import PAGE_TOKENS, POOL_PAGES, PREFIX_TOKENS, RESERVED_TOKENS
from workings.vocabulary.serving_time import OUTPUT_TOKENS
from workings.vocabulary.training import BATCH, SEQUENCE_LENGTH

LENGTH = {"s": SEQUENCE_LENGTH, "p": PAGE_TOKENS}
SMALL_POOL = 400  # tokens of a pool that is filled anew for each of them


def give_out_pages(s: int, p: int) -> int:
    """A sequence that grows token by token and takes a page whenever its last one is full."""
    return len(Pool(p).serve([range(s)]))


KV_PAGES = derivation(
    "kv-pages",
    title="Pages of a sequence's KV cache",
    phrases="number of KV blocks of a sequence in vLLM; PagedAttention blocks per request; block table "
    "length; pages for a prompt with block size 16; ceil(tokens / block_size)",
    unit=ONE,
    noun="pages",
    letters=LENGTH,
    source=PAGED_ATTENTION.at("section 4.1, equation 4, and section 4.3"),
    oracle=give_out_pages,
    convention="A page holds the keys and values of `p` tokens in all blocks of the model; vLLM calls it "
    "a KV block.",
    chain="""
    n_p = ceil(s/p)             -- full pages, and one for the rest
    """,
)


def count_the_empty_places(s: int, p: int, L: int, K: int, d_h: int, w_kv: Fraction) -> Fraction:
    """A sequence put into pages token by token; the places left empty, each with a token's bytes."""
    only_if(s + p <= FEW)
    empty = sum(place is None for page in Pool(p).serve([range(s)]) for place in page)
    return empty * feed_one_token(L, K, d_h, w_kv)


KV_PAGE_WASTE = derivation(
    "kv-page-waste",
    title="Bytes of a sequence's last page of the KV cache that nothing fills",
    phrases="internal fragmentation of PagedAttention; wasted kv cache in the last block; unfilled slots "
    "of a sequence's last KV block; how much memory does paged attention waste per request",
    unit=BYTE,
    letters={**LENGTH, **CACHE},
    uses={"n_p": KV_PAGES.at(), "m_tok": KV_TOKEN_BYTES.at()},
    source=PAGED_ATTENTION.at("section 4.3"),
    oracle=count_the_empty_places,
    convention="One sequence, as it stands at `s` tokens.",
    holds_for={WITHOUT_LATENT: ""},
    chain="""
    M_e = (p*n_p - s)*m_tok                       -- places given out, less tokens
      = (p*ceil(s/p) - s)*m_tok                   -- the pages put in
      = 2*(p*ceil(s/p) - s)*L*K*d_h*w_kv          -- a token's bytes put in
    """,
)


def look_at_every_length(p: int, L: int, K: int, d_h: int, w_kv: Fraction) -> Fraction:
    """Sequences of every length up to three pages put into pages; the places left empty, their mean."""
    only_if(p <= 60)
    lengths = range(1, p + p + p + 1)
    empty = [
        sum(place is None for page in Pool(p).serve([range(length)]) for place in page)
        for length in lengths
    ]
    return Fraction(sum(empty), len(empty)) * feed_one_token(L, K, d_h, w_kv)


KV_PAGE_WASTE_MEAN = like(
    "kv-page-waste-mean",
    KV_PAGE_WASTE,
    title="Bytes of the KV cache that paging wastes on a sequence, in the mean",
    phrases="expected waste of paged kv cache; average unfilled part of the last KV block; half a block "
    "wasted per sequence; block size trade-off fragmentation vLLM",
    letters={"p": PAGE_TOKENS, **CACHE},
    uses={"m_tok": KV_TOKEN_BYTES.at()},
    oracle=look_at_every_length,
    convention="Over sequences whose last page holds any number of tokens alike often.",
    chain="""
    M_mean = sum((p - i)*m_tok, (i, 1, p))/p      -- `i` tokens in the last page, each alike often
      = (p - 1)/2*m_tok                           -- half a page, less half a token
      = (p - 1)*L*K*d_h*w_kv                      -- a token's bytes put in
    """,
)


def compare_empty_places(s: int, p: int) -> Fraction:
    """A sequence put into pages token by token; of all places given out, the share left empty."""
    only_if(s + p <= FEW)
    places = [place for page in Pool(p).serve([range(s)]) for place in page]
    return Fraction(sum(place is None for place in places), len(places))


KV_PAGE_WASTE_SHARE = like(
    "kv-page-waste-share",
    KV_PAGES,
    title="Share of a sequence's pages of the KV cache that nothing fills",
    phrases="fraction of paged kv cache wasted by the last block; internal fragmentation of "
    "PagedAttention in percent; kv cache utilization of a request with block size 16; near-zero waste of "
    "vLLM; share of KV slots without a token; how much of the paged cache is empty",
    noun=None,
    uses={"n_p": KV_PAGES.at()},
    source=PAGED_ATTENTION.at("section 4.3, figure 2"),
    oracle=compare_empty_places,
    convention="One sequence, as it stands at `s` tokens, of the places given out to it; what is left to "
    "1 is the paper's share of token states. Of many sequences see kv-page-waste-share-mean.",
    leaves_out="Pages that no sequence has; those that sequences share.",
    chain="""
    x_page = (p*n_p - s)/(p*n_p)             -- places without a token, over those given out
      = 1 - s/(p*ceil(s/p))                  -- the pages put in, divide
    """,
)


def fill_every_last_page(s: int, p: int) -> Fraction:
    """Sequences around a mean length whose last pages hold all numbers alike often; the share empty."""
    only_if(p * (s + p) <= FEW)
    starts = (s - p // 2, s - (p - 1) // 2)
    lengths = [length for start in starts for length in range(start, start + p)]
    places = [place for n in lengths for page in Pool(p).serve([range(n)]) for place in page]
    return Fraction(sum(place is None for place in places), len(places))


KV_PAGE_WASTE_SHARE_MEAN = like(
    "kv-page-waste-share-mean",
    KV_PAGE_WASTE_SHARE,
    title="Share of a paged KV cache that nothing fills, over many sequences",
    phrases="share of paged kv cache wasted by partly filled last pages; average percentage of memory "
    "waste in vLLM; under 4 % waste of paged attention; expected fragmentation of a paged kv cache; "
    "block size against mean sequence length; half a block per request as a share",
    uses={},
    given=("2*s > p",),
    oracle=fill_every_last_page,
    convention="`s` is the mean length of the sequences, whose last pages hold any number of tokens "
    "alike often. Of the places given out.",
    chain="""
    x_pages = sum(p - i, (i, 1, p))/p/(s + sum(p - i, (i, 1, p))/p)
                                             -- mean places without a token, over all; `i` in the last
      = (p - 1)/2/(s + (p - 1)/2)            -- half a page, less half a token
      = (p - 1)/(2*s + p - 1)                -- the less, the longer the sequences
    """,
)


def reserve_the_longest(s: int, s_max: int) -> Fraction:
    """One page as long as the longest sequence, filled token by token; the share left empty."""
    only_if(s_max <= FEW)
    (places,) = Pool(s_max).serve([range(s)])
    return Fraction(sum(place is None for place in places), len(places))


RESERVED_WASTE = derivation(
    "reserved-waste",
    title="Share of a reserved KV cache that nothing fills",
    phrases="KV cache wasted by preallocating max length; reservation waste without paged attention; "
    "fraction of a contiguous kv cache unused; how much kv cache memory does reserving max_seq_len "
    "waste; internal fragmentation of contiguous serving",
    unit=ONE,
    letters={"s": SEQUENCE_LENGTH, "s_max": RESERVED_TOKENS},
    given=("s <= s_max",),
    source=PAGED_ATTENTION.at("section 3.1, figure 3"),
    oracle=reserve_the_longest,
    convention="Of a sequence that has reached `s` tokens; what it still grows by is not wasted but "
    "reserved, and is counted here until it is filled.",
    leaves_out="Gaps between the rows of several sequences.",
    chain="""
    x_e = (s_max - s)/s_max        -- places without a token, over those reserved
      = 1 - s/s_max                -- divide
    """,
)


def double_the_room(o: int) -> list[int]:
    """A row of places doubled until an answer finds room, filled token by token; those left empty."""
    only_if(o <= FEW)
    places: list[int | None] = [None]
    while len(places) < o:
        places += places
    for token in range(o):
        places[token] = token
    return [place for place, token in enumerate(places) if token is None]


def count_the_places(o: int) -> int:
    """A row doubled until an answer finds room; its places, filled and empty."""
    return o + len(double_the_room(o))


RESERVED_POWER_OF_TWO = derivation(
    "reserved-power-of-two",
    title="Places of a KV cache reserved up to a power of two of the output",
    phrases="Orca (Pow2) reservation; reserve the next power of two of the output length; KV slots "
    "for 25 output tokens; over-reservation at most twice; buddy allocation of the kv cache; slots "
    "rounded up to 2^ceil(log2(n))",
    unit=ONE,
    noun="places",
    letters={"o": OUTPUT_TOKENS},
    source=PAGED_ATTENTION.at("section 6.1, “Baseline 2: Orca”"),
    oracle=count_the_places,
    convention="Beside the places of the prompt.",
    chain="""
    n_two = 2^ceil(log2(o))      -- the first power of two that is no less
    """,
)


def share_left_empty(o: int) -> Fraction:
    """A row doubled until an answer finds room; its empty places over all."""
    empty = len(double_the_room(o))
    return Fraction(empty, o + empty)


RESERVED_POWER_WASTE = like(
    "reserved-power-waste",
    RESERVED_POWER_OF_TWO,
    title="Share of places reserved up to a power of two that nothing fills",
    phrases="waste of power-of-two reservation; internal fragmentation of Orca (Pow2); unused share of a "
    "rounded-up kv cache; less than half is wasted by doubling; fragmentation of a buddy allocator; "
    "share of reserved slots that stays empty",
    noun=None,
    uses={"n_two": RESERVED_POWER_OF_TWO.at()},
    oracle=share_left_empty,
    convention="Once the answer is whole; beside the places of the prompt.",
    chain="""
    x_two = (n_two - o)/n_two            -- places without a token, over those reserved
      = 1 - o/2^ceil(log2(o))            -- put the places in, divide
    """,
)


def share_pages(b: int, s_p: int, p: int, L: int, K: int, d_h: int, w_kv: Fraction) -> Fraction:
    """Sequences alike up to their last tokens, paged with and without sharing; the places saved."""
    only_if(b * (s_p + p) <= FEW)
    sequences = [(*range(s_p), *(-number - 1 for _ in range(p))) for number in range(b)]
    apart, together = (Pool(p, shares=shares).serve(sequences) for shares in (False, True))
    saved = sum(len(page) for page in apart) - sum(len(page) for page in together)
    return saved * feed_one_token(L, K, d_h, w_kv)


PREFIX_SHARED_BYTES = derivation(
    "prefix-shared-bytes",
    title="Bytes of the KV cache that sequences with a common beginning save",
    phrases="prefix caching memory saving; shared system prompt kv cache; KV cache saved by sharing the "
    "prompt in parallel sampling; automatic prefix caching vLLM; radix cache saving; prompt shared by "
    "n samples",
    unit=BYTE,
    letters={"b": BATCH, "s_p": PREFIX_TOKENS, "p": PAGE_TOKENS, **CACHE},
    uses={"m_tok": KV_TOKEN_BYTES.at()},
    source=VLLM_PREFIX,
    oracle=share_pages,
    convention="Only full pages are shared: the tokens of a page that is not full are kept by each "
    "sequence. Samples of one prompt share its last page too until they write to it.",
    leaves_out="Pages that sequences fill at the same time: vLLM keeps a copy for each.",
    holds_for={WITHOUT_LATENT: ""},
    chain="""
    M_p = sum(p*floor(s_p/p)*m_tok, (i, 1, b - 1))
                                               -- all sequences but the first keep none of its full pages
      = (b - 1)*p*floor(s_p/p)*m_tok           -- equal sequences
      = 2*(b - 1)*p*floor(s_p/p)*L*K*d_h*w_kv          -- a token's bytes put in
    """,
)


def take_pages_until_full(
    M_max: Fraction, P: int, w: Fraction, p: int, w_kv: Fraction, **sizes: int
) -> int:
    """Weights dealt out; then one page after another, each for `p` tokens, while there is room."""
    page = stored(numbers_on_a_rank(1, p, **sizes), w_kv)
    return fill(M_max - share_weights(P, w, sizes["t"]), page)


PAGES_THAT_FIT = like(
    "pages-that-fit",
    CACHE_TOKENS,
    title="Pages of the KV cache that fit beside the weights",
    phrases="num_gpu_blocks; number of KV blocks on a GPU in vLLM; GPU blocks for PagedAttention; how "
    "many kv cache pages can be allocated",
    noun="pages",
    letters={**ROOM, "p": PAGE_TOKENS, **RANK_CACHE},
    uses={"n_tok": CACHE_TOKENS.at()},
    oracle=take_pages_until_full,
    convention=OF_THE_MEMORY + "On each of the `t` devices alike: a page is spread over all of them.",
    leaves_out=NOT_COUNTED,
    holds_for={WITHOUT_LATENT: ""},
    chain="""
    n_fit = floor(n_tok/p)      -- whole pages, of all the tokens that fit
    """,
)


def fill_the_pool(n_all: int, p: int) -> int:
    """One sequence that grows token by token until it would need a page more than there are."""
    only_if(n_all * p <= SMALL_POOL)
    tokens = 0
    while len(Pool(p).serve([range(tokens + 1)])) <= n_all:
        tokens += 1
    return tokens


POOL_TOKENS = derivation(
    "pool-tokens",
    title="Tokens that the pages of a KV cache hold",
    phrases="GPU KV cache size in tokens; number of GPU blocks times block size; maximum number of "
    "tokens that can be stored in KV cache; vLLM cache capacity from blocks; longest sequence that the "
    "blocks can hold",
    unit=ONE,
    noun="tokens",
    letters={"n_all": POOL_PAGES, "p": PAGE_TOKENS},
    source=VLLM_CONCURRENCY,
    oracle=fill_the_pool,
    convention="Of one sequence, or of several that end with a full page; pages-that-fit says how many "
    "pages there are. vLLM prints both when it starts.",
    leaves_out="Room that is lost in the last page of each sequence; see kv-page-waste.",
    chain="""
    n_pool = sum(p, (i, 1, n_all))     -- every page filled
      = n_all*p                        -- equal pages
    """,
)


def hand_pages_out(n_all: int, s: int, p: int) -> Fraction:
    """Pages handed out one by one, each a share of what the sequence that takes it needs; the shares."""
    only_if(n_all + s <= FEW)
    needed = give_out_pages(s, p)
    served, held = Fraction(0), 0
    for _ in range(n_all):
        held += 1
        if held == needed:
            served, held = served + 1, 0
    return served + Fraction(held, needed)


POOL_SEQUENCES = derivation(
    "pool-sequences",
    title="Sequences of a length that the pages of a KV cache hold at once",
    phrases="maximum concurrency for tokens per request; concurrent requests from GPU blocks; how many "
    "requests of this length fit in the KV cache; vLLM maximum concurrency 1.56x; cache size in tokens "
    "over max model len; how many requests fit at once",
    unit=ONE,
    noun="sequences",
    fractional="whole sequences, and the part of one more that still fits",
    letters={"n_all": POOL_PAGES, "s": SEQUENCE_LENGTH, "p": PAGE_TOKENS},
    uses={"n_p": KV_PAGES.at()},
    source=VLLM_CONCURRENCY,
    oracle=hand_pages_out,
    convention="All sequences grow to `s` tokens, which the length limit of a server is the worst case "
    "of; below 1 not even one fits.",
    leaves_out="Pages that sequences with a common beginning share.",
    chain="""
    x_seq = n_all/n_p          -- all pages, over those of a sequence
      = n_all/ceil(s/p)        -- full pages and one for the rest
    """,
)
