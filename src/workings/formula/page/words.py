"""Words that pages use for numbers, units and things counted, in English and Chinese.

Data only: which word stands for which unit of `workings.units`, which multiplies a number, and
which merely names what is counted (tokens, chips), which has no unit.
"""

from __future__ import annotations

import re


def listed(words: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(words.split())


MULTIPLIERS: dict[str, int] = {
    "thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12,
    "quadrillion": 10**15, "mn": 10**6, "bn": 10**9,
    "百万": 10**6, "千万": 10**7, "十亿": 10**9, "百亿": 10**10, "千亿": 10**11, "万亿": 10**12,
    "千": 10**3, "万": 10**4, "亿": 10**8,
}  # fmt: skip

# Letters that follow a number without a space; K, M and G may also mean powers of 1,024.
SUFFIXES: dict[str, int] = {
    "k": 10**3, "K": 10**3, "M": 10**6, "B": 10**9, "b": 10**9, "T": 10**12, "G": 10**9,
}  # fmt: skip

_PREFIX_WORDS = {
    "": "", "kilo": "k", "mega": "M", "giga": "G", "tera": "T", "peta": "P", "exa": "E",
    "zetta": "Z", "yotta": "Y",
}  # fmt: skip
_BINARY_WORDS = {"kibi": "Ki", "mebi": "Mi", "gibi": "Gi", "tebi": "Ti"}
_SECONDS = {
    "s": ("s", "sec", "secs", "second", "seconds", "秒"),
    "ms": ("ms", "msec", "millisecond", "milliseconds", "毫秒"),
    "us": ("us", "µs", "μs", "usec", "microsecond", "microseconds", "微秒"),
    "ns": ("ns", "nanosecond", "nanoseconds", "纳秒"),
    "min": ("min", "mins", "minute", "minutes", "分钟"),
    "h": ("h", "hr", "hrs", "hour", "hours", "小时"),
    "day": ("day", "days", "天"),
    "week": ("week", "weeks", "周"),
    "month": ("month", "months", "个月", "月"),
    "year": ("year", "years", "yr", "yrs", "年"),
}
_MONEY = {"USD": ("USD", "usd", "dollar", "dollars", "美元"), "EUR": ("EUR", "euro", "euros", "€")}


TIMES = frozenset(_SECONDS)


def _unit_words() -> dict[str, str]:
    words: dict[str, str] = {}
    for unit, names in {**_SECONDS, **_MONEY}.items():
        words |= dict.fromkeys(names, unit)
    for long, short in _PREFIX_WORDS.items():
        for name in ("byte", "bytes", "Byte", "Bytes"):
            words[long + name] = f"{short}B"
        for name in ("bit", "bits"):
            words[long + name] = f"{short}bit"
        for name in ("FLOP", "flop"):
            words[long + name] = f"{short}FLOP"
            words[f"{short}{name}"] = f"{short}FLOP"
        for name in ("FLOPs", "FLOPS", "flops", "Flops", "FLops", "Flop"):
            words[long + name] = f"{short}FLOPs"
            words[f"{short}{name}"] = f"{short}FLOPs"
        for name in ("OPs", "OPS", "Ops", "ops"):
            words[f"{short}{name}"] = f"{short}FLOPs"
    for long, short in _BINARY_WORDS.items():
        words |= dict.fromkeys((f"{long}bytes", f"{long}byte"), f"{short}B")
    for short in ("k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi"):
        words |= dict.fromkeys(
            (f"{short}B", f"{short}b" if len(short) == 2 else f"{short}B"), f"{short}B"
        )
        words |= dict.fromkeys((f"{short}bit", f"{short}bits"), f"{short}bit")
    words |= {
        "KB": "kB",
        "KiBs": "KiB",
        "GBs": "GB",
        "GiBs": "GiB",
        "MBs": "MB",
        "TBs": "TB",
        "Bytes": "B",
    }
    words |= {"Gbps": "Gbit/s", "Mbps": "Mbit/s", "Tbps": "Tbit/s", "GBps": "GB/s", "TFLOPs": "TFLOPs"}
    words |= {"字节": "B", "B": "B", "比特": "bit", "exaflops": "EFLOPs", "petaflops": "PFLOPs"}
    words |= {"teraflops": "TFLOPs", "gigaflops": "GFLOPs", "teraflop": "TFLOP", "petaflop": "PFLOP"}
    words |= {
        "teraFLOP": "TFLOP",
        "gb": "GB",
        "mb": "MB",
        "tb": "TB",
        "gib": "GiB",
        "mib": "MiB",
        "kb": "kB",
        "kiB": "KiB",
        "kib": "KiB",
        "tib": "TiB",
        "GIB": "GiB",
        "Gib": "GiB",
        "Gb": "GB",
        "Mb": "MB",
        "Tb": "TB",
    }
    return words


# One word and the unit of `workings.units` it stands for. `…FLOPs` is FLOP or FLOP/s: people write both.
UNIT_WORDS: dict[str, str] = _unit_words()

# With `/s` behind it, a small b is bits.
BITS: dict[str, str] = {"Gb": "Gbit", "Mb": "Mbit", "Tb": "Tbit", "Kb": "kbit", "kb": "kbit"}

# What is counted: these words follow a number and change nothing.
NOUNS: frozenset[str] = listed(
    """
    token tokens tok toks param params parameter parameters weight weights value values element
    elements entry entries chip chips gpu gpus GPU GPUs TPU TPUs device devices node nodes core cores
    rank ranks layer layers block blocks head heads sequence sequences seq seqs sample samples example
    examples batch batches microbatch microbatches step steps iteration iterations epoch epochs expert
    experts stage stages shard shards copy copies hop hops axis axes way ways time times request
    requests user users replica replicas bucket buckets matrix matrices matmul matmuls operation
    operations op multiply-adds machine machines accelerator accelerators H100 H100s A100 A100s V100
    V100s B200 B200s activation activations image images page pages dimension dimensions channel
    channels vector vectors 个 张 卡 层 头 块 台 步 次 倍 条 台机器 组 份 片 tokens个
    """
)

# Words that never belong to the name of a quantity nor behind a number.
STOP_WORDS = listed(
    """
    is are was were be been being the a an and or but if then so that this these those it we you they
    i he she has have had having do does did get gets got gives give given gave yields yield takes
    take took means mean equals equal because since when where while which who what how why with
    without for from to of in on at by as into onto over under about roughly approximately around
    nearly almost only just also not no than can could should would will may might must let let's
    assume assuming suppose use uses using used need needs needed requires require costs cost here
    there thus hence therefore now total's our your their its each every per both all any some more
    most less fewer least between during after before via per
    """
)
ABOUT = listed(
    """
    about roughly approximately around nearly almost circa ca approx 约 大约 约为 大概 近似 约等于 ~
    """
)

# What one value of a type takes.
TYPE_BYTES = {
    "bfloat16": 2, "bf16": 2, "float16": 2, "fp16": 2, "float32": 4, "fp32": 4, "int8": 1, "fp8": 1,
    "int32": 4, "float64": 8, "fp64": 8,
}  # fmt: skip

# Units that no tool here knows: what they measure is not counted in bytes, FLOPs, seconds or money.
OTHER_UNITS: frozenset[str] = listed(
    """
    kW MW GW Wh kWh MWh GWh TWh kJ MJ GJ Hz kHz MHz GHz THz kg mg km cm mm nm kgCO2 tCO2 tCO2e mAh kVA
    """
)

CJK = re.compile(r"[\u3400-\u9fff]+")
