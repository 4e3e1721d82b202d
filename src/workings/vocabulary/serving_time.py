"""What the time and cost of serving speak of: widths as served, drafts, requests and their rates."""

from workings.units import CURRENCY, ONE, SECOND
from workings.vocabulary.concept import Concept, Domain, count, part, seconds, share, whole

# A scenario that says nothing of serving serves weights and caches in the widths it computes with.
PROMPT_CHUNK = count("prompt_chunk", "most tokens of a prompt in one step", "s_c", None, "tokens")
QUEUED_CHUNKS = whole(
    "queued_chunks", "chunks of earlier prompts that are still to run", "q_c", None, "chunks"
)
OUTPUT_TOKENS = count("output_tokens", "tokens that a request generates", "o", None, "tokens")

# Times that are measured or worked out elsewhere
SERVING_STEP = Concept("serving_step", "time of a step of the server", "T_s", SECOND)
PREFILL_TIME = seconds("prefill_time", "time of a prompt's forward pass", "T_p")
TOKEN_TIME = seconds("token_time", "time from one output token to the next", "T_o")
FIRST_TOKEN_TIME = seconds("first_token_time", "time until the first output token", "T_1")
REQUEST_TIME = Concept("request_time", "time a request is in the server, waiting included", "T_r", SECOND)

BANDWIDTH_SHARE = share(
    "bandwidth_share", "share of its memory's bandwidth that a device reaches in a step", "u_m"
)

# Speculative decoding
DRAFTED = count("drafted_tokens", "tokens the draft model proposes in a round", "gamma", None, "tokens")
ACCEPTANCE = Concept(
    "acceptance", "probability that a proposed token is accepted", "alpha", ONE, Domain.PART
)
DRAFT_COST = Concept(
    "draft_cost", "time of a pass of the draft model over one of the target model", "c", ONE,
    Domain.NONNEGATIVE,
)  # fmt: skip
DRAFT_OPERATIONS = Concept(
    "draft_operations", "operations of the draft model for a token over those of the target model",
    "c_f", ONE, Domain.NONNEGATIVE,
)  # fmt: skip
DISTRIBUTION_DISTANCE = part(
    "distribution_distance",
    "probability that the draft model gives to tokens beyond what the target model gives them, in the "
    "mean over contexts", "delta_pq",
)  # fmt: skip
LONGEST_DRAFT = count(
    "longest_draft", "tokens that a draft may have at most", "gamma_max", None, "tokens"
)
TARGET_SHARE = share(
    "target_share", "probability that the target model gives to tokens of the first kind", "p_A"
)
DRAFT_SHARE = part(
    "draft_share", "probability that the draft model gives to tokens of the first kind", "q_A"
)
LENIENCE = share(
    "lenience",
    "how far a token's probability in the target may be below that in the draft before it is rejected "
    "at times", "l_q",
)  # fmt: skip
BEAM = count("beam", "sequences of a beam search", "w_b", None, "sequences")
DRAFT_BEAM = count("draft_beam", "sequences of the draft model's beam", "u_b", None, "sequences")

# Traffic
ARRIVALS = Concept("arrivals", "requests that arrive in a second", "R_q", ONE / SECOND)
TOKEN_RATE = Concept("token_rate", "tokens a group of devices generates in a second", "R", ONE / SECOND)
PREFILL_DEVICES = count("prefill_devices", "devices that prefill one prompt", "n_p", None, "devices")
DECODE_DEVICES = count("decode_devices", "devices that decode one batch", "n_d", None, "devices")
WATTS = Concept("watts", "joules a device takes in a second", "p_d", ONE / SECOND, Domain.NONNEGATIVE)
HEADROOM = share("headroom", "share of its throughput that a device may be asked for", "rho")

# Texts and what is paid for their tokens
READING_SPEED = Concept("reading_speed", "words that a reader reads in a second", "v_r", ONE / SECOND)
WORDS = count("words", "words of a text", "N_w", None, "words")
TOKENS_PER_WORD = Concept("tokens_per_word", "tokens of a word, in the mean", "tau_w", ONE)
MILLION_PRICE = Concept("million_price", "price of a million tokens", "c_api", CURRENCY)
FIXED_COST = Concept(
    "fixed_cost", "what devices of one's own cost in a time, however few tokens they make", "c_fix",
    CURRENCY, Domain.NONNEGATIVE,
)  # fmt: skip
SERVED_TOKENS = count("served_tokens", "tokens that are asked for in that time", "N_t", None, "tokens")
