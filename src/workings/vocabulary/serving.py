"""Serving: caches, weights as they are served, and pages; what only using a model speaks of."""

from workings.vocabulary.concept import count, whole, width

# Bytes of what is kept
CACHE_WIDTH = width("cache_width", "bytes per cached key or value", "w_kv", "training.activation_width")
SERVED_WIDTH = width("served_width", "bytes per weight as it is served", "w", "training.gather_width")
QUANTIZED_WIDTH = width("quantized_width", "bytes per quantized value", "w_q", None)
SCALE_WIDTH = width("scale_width", "bytes per scale of a group of quantized values", "w_s", None)
ZERO_POINT_WIDTH = width(
    "zero_point_width", "bytes per zero point of a group of quantized values (0: none)", "w_z", None,
    zero=True,
)  # fmt: skip

# Blocks of other kinds than all alike
WINDOW_BLOCKS = whole("window_blocks", "blocks whose queries see a window only", "L_w", None, "blocks")
CROSS_BLOCKS = count(
    "cross_blocks", "blocks with attention to the input of an encoder", "L_x", None, "blocks"
)
INPUT_TOKENS = count(
    "input_tokens", "tokens that an encoder puts out for a sequence", "s_x", None, "tokens"
)

# Room for the cache
PAGE_TOKENS = count("page_tokens", "tokens of a page of the cache", "p", None, "tokens")
POOL_PAGES = count("pool_pages", "pages that the cache of a server has in all", "n_all", None, "pages")
RESERVED_TOKENS = count(
    "reserved_tokens", "tokens that a sequence's cache has room for from its start", "s_max", None,
    "tokens",
)  # fmt: skip
PREFIX_TOKENS = whole(
    "prefix_tokens", "tokens that all sequences begin with alike", "s_p", None, "tokens"
)
# What an encoder of images reads
IMAGE_SIDE = count("image_side", "pixels of a side of an image", "h_px", None, "pixels")
PATCH_SIDE = count("patch_side", "pixels of a side of a patch", "p_px", None, "pixels")
TILES = count("tiles", "tiles that an image is cut into", "n_tile", None, "tiles")
