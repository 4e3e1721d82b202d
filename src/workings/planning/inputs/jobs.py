"""A job from its tables: every letter of the cost model, with where its value comes from."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from workings.formula.interval import DoesNotEvaluateError
from workings.planning.exact import exactly
from workings.planning.inputs.assumptions import (
    Assumed,
    assumed_of,
    assumption_figures,
    measured_beside,
)
from workings.planning.inputs.clusters import cluster_figures, cluster_of, devices_of, mtbf_of
from workings.planning.inputs.efficiencies import measured_links, reached, settled, usual_figures
from workings.planning.inputs.files import toml_of
from workings.planning.inputs.given import (
    Entries,
    Entry,
    Reader,
    entries,
    only,
    refused,
    shown,
    tidy,
    words,
)
from workings.planning.inputs.kept import shared_by_names
from workings.planning.inputs.launches import Launch, launch_of
from workings.planning.inputs.layouts import is_chosen, layout_figures, with_devices
from workings.planning.inputs.models import model_entries, model_figures, model_name
from workings.planning.inputs.node import node_figures
from workings.planning.inputs.products import compute_figure
from workings.planning.inputs.results import (
    checked,
    has_a_count,
    measured_of_job,
    of_a_layout,
    published_of,
    with_carried,
)
from workings.planning.inputs.reviews import LIMITS, review_of
from workings.planning.inputs.same_model import same_model
from workings.planning.inputs.scenarios import as_job, is_scenario, spelling, with_own_keys
from workings.planning.inputs.settings import Settings, settings_of
from workings.planning.inputs.tiers import LINKS, hold, hold_figure
from workings.planning.job import Cover, Figure, Job, JobError
from workings.planning.letters import ASSUMED, LETTERS
from workings.planning.stored import stored_plan
from workings.scenario.presets import find, is_preset

_SECTIONS = ("name", "model", "cluster", "launch", "assume", "review", "measured", "published")
_TOKENS_A_PARAMETER = 20
_ENDING = re.compile(r"[^/]\.[A-Za-z]\w{0,9}$")  # of a file; presets have dots too, but before digits


def read_job(where: str | Path, settings: Mapping[str, str] | None = None) -> Job:
    """A job file, or an ordinary scenario by name or path, with `settings` put over it.

    Raises JobError or ScenarioError: one sentence naming file, key, what was found and expected.
    """
    path = _job_file(str(where))
    reader = Reader(path.parent, path.name, root=path.parent)
    raw = toml_of(reader, path)
    if is_scenario(raw):
        raw, settings = with_own_keys(raw, settings or {})
        raw = as_job(reader, path, raw)
        reader.spell = spelling()
    return job_of(reader, raw, settings_of(settings or {}))


def _job_file(text: str) -> Path:
    """The file of a job, by path or by a scenario's name. Raises JobError or ScenarioError."""
    if "\0" in text or text.endswith(".toml"):
        return Path(text)
    unnamed = "/" not in text and not is_preset("scenarios", text)
    if _ENDING.search(text) or (unnamed and _is_file(text)):
        launches = "a launch goes with --megatron or --torchtitan"
        raise JobError(
            f"found {tidy(text)}, expected a job file in TOML or a scenario's name; {launches}"
        )
    return Path(text) if "/" in text else find("scenarios", text)


def _is_file(text: str) -> bool:
    try:
        return Path(text).is_file()
    except (OSError, ValueError):  # such as a name longer than the system allows
        return False


def job_of(reader: Reader, raw: Mapping[str, Any], settings: Settings) -> Job:
    """The job that tables describe. Raises JobError or ScenarioError."""
    only(reader, entries(reader, "", raw, note=False), _SECTIONS)
    tables = settings.presets(reader, raw)
    launch = settings.launch(reader, launch_of(reader, tables.get("launch", {})))
    model = _model(reader, tables, launch, settings)
    figures = model_figures(reader, model)
    assumed = assumed_of(reader, tables.get("assume", {})) | settings.assumed(reader)
    cluster = cluster_of(reader, tables.get("cluster", {}))
    hold(reader, cluster.tiers, cluster.keys)
    cluster = cluster._replace(keys=cluster.keys | settings.cluster)
    hardware = cluster_figures(reader, cluster)
    said = {n: a.figure for n, a in assumed.items() if n in hardware}
    for letter in LINKS.values():
        if letter in said:
            hold_figure(said[letter], hardware[letter])
    links, measured = hardware | said, measured_links(cluster.tiers, said)
    device = words(cluster.keys["name"]) if "name" in cluster.keys else ""
    unsaid = _said(launch) | settled(links, measured)
    assumptions = assumption_figures(assumed, unsaid, launch.framework, device)
    figures |= links | reached(links, measured, assumptions)
    devices = with_devices(launch.devices, devices_of(cluster, figures["n_node"].value))
    figures |= _run(reader, launch.keys, devices, figures)
    figures |= compute_figure(reader, cluster.keys, figures, launch.products)
    assumptions |= usual_figures(device, figures, assumptions)
    assumptions |= node_figures(reader, tables.get("assume"), figures, assumptions)
    figures |= _fitting(assumptions, assumed, figures)
    figures |= shared_by_names(launch.keys, figures)
    cover, limits = review_of(reader, tables["review"]) if "review" in tables else (Cover(), LIMITS)
    job = Job(
        _name(reader, tables, model, cluster.keys, figures),
        {letter: figures[letter] for letter in LETTERS},
        is_chosen(launch.keys), tuple(reader.noted), cover, dict(reader.opened), *limits,
        device=device,
        mtbf=mtbf_of(cluster),
        framework=launch.framework,
    )  # fmt: skip
    _runs(reader, job)
    return _with_results(reader, tables, job, changed=any(settings))


def _runs(reader: Reader, job: Job) -> None:
    """Refuse what the program that is named refuses or never does. Raises JobError."""
    v = job.values()
    if job.framework == "megatron" and not v["z_k"]:
        raise JobError(
            f"{reader.file}: launch.keep_gradients: found 0, expected 1: Megatron-LM has buffers for "
            "gradients"
        )
    if job.framework == "deepspeed" and job.chosen and v["z_2"] and v["p"] > 1:
        stage = shown(v["z_1"] + v["z_2"] + v["z_3"])
        raise JobError(
            f"{reader.file}: launch.zero: found {stage}, expected at most 1: DeepSpeed refuses sharded "
            "gradients or weights beside a pipeline"
        )


def _with_results(reader: Reader, tables: Mapping[str, Any], job: Job, *, changed: bool) -> Job:
    """The job with what was measured or published of its run."""
    measured = measured_beside(reader, tables.get("assume", {}))
    if "measured" in tables:
        measured = measured_of_job(reader, tables["measured"])
    job = checked(reader, job, measured, changed)
    if "published" in tables and changed:
        reader.note("ignored", "published", "it is of the job as its file has it, which is changed here")
    elif "published" in tables:
        of_a_layout(reader, job, "published")
        published = published_of(reader, tables["published"])
        has_a_count(job, published, reader.file, "published.counts")
        job = replace(job, published=published)
    return with_carried(replace(job, noted=tuple(reader.noted)))


def _model(reader: Reader, tables: Mapping[str, Any], launch: Launch, settings: Settings) -> Entries:
    """[model], or what the launch says of it, which must be the same."""
    if "model" not in tables:
        return launch.model | settings.model
    given = model_entries(reader, tables["model"])
    same_model(reader, given, launch.model, settings.model)
    said, own = launch.model.get("vocab"), given.get("vocab")
    if said is not None and own is not None and said.value != own.value:
        text = f"{shown(said.value)} as padded; the model's own {shown(own.value)} count"
        reader.note("ignored", said.key, text, said.file)
    return given | settings.model


def _said(launch: Launch) -> dict[str, Figure]:
    """Assumptions that the launch settles."""
    by_name = {concept.name: letter for letter, concept in ASSUMED.items()}
    return {
        letter: Figure(letter, ASSUMED[letter], e.value, e.kind, e.source, place=e.place)
        for letter, e in ((by_name[name], e) for name, e in launch.hidden.items())
    }


def _run(
    reader: Reader, keys: Entries, devices: Entry | None, figures: Mapping[str, Figure]
) -> dict[str, Figure]:
    """Layout and training; tokens of the run follow from steps or parameters if nothing says them."""
    steps = keys.get("steps")
    if "training_tokens" in keys:
        if steps is not None:
            raise refused(keys["training_tokens"], f"no {steps.key} beside it")
        return layout_figures(reader, keys, devices, figures)
    guess = Entry(Fraction(1), "assumed", "", reader.file, "launch.training_tokens")
    found = layout_figures(reader, {**keys, "training_tokens": guess}, devices, figures)
    if steps is not None:
        tokens = steps.value * found["b"].value * found["s"].value
        figure = replace(found["T_tok"], value=tokens, kind=steps.kind, source=steps.source)
        return found | {"T_tok": replace(figure, place=steps.place)}
    tokens = _TOKENS_A_PARAMETER * _active_parameters({**figures, **found})
    text = f"assumed: {_TOKENS_A_PARAMETER} for each parameter that a token meets (Hoffmann et al., 2022)"
    reader.note("defaulted", "launch.training_tokens", f"{shown(tokens)}: {text}")
    return found | {"T_tok": replace(found["T_tok"], value=tokens, source=text)}


def _active_parameters(figures: Mapping[str, Figure]) -> Fraction:
    """Parameters that one token is multiplied with, tables included."""
    n = {letter: figure.value for letter, figure in figures.items()}
    try:
        n |= exactly(stored_plan(), n, ["P_bd", "P_be"])
    except DoesNotEvaluateError as error:  # pragma: no cover - every letter is there
        raise AssertionError(str(error)) from error
    routed = n["P_be"] * n["k_E"] / n["E"] if n["E"] else Fraction(0)
    outside = n["V"] * n["n_emb"] + n["n_pos"] + n["n_nf"] * (1 + n["beta_n"])
    return n["L"] * (n["P_bd"] + routed) + n["D"] * outside


def _fitting(
    assumptions: Mapping[str, Figure], given: Mapping[str, Assumed], figures: Mapping[str, Figure]
) -> dict[str, Figure]:
    """The assumptions, without those that this model or layout leaves no room for."""
    fitting = dict(assumptions)
    if not figures["E"].value and "lambda" not in given:
        fitting["lambda"] = _settled(fitting["lambda"], 1, "no experts")
    if not figures["z_a"].value and "kappa" not in given:
        text = "without FlashAttention all scores are computed"
        fitting["kappa"] = _settled(fitting["kappa"], 1, text)
    return fitting


def _settled(figure: Figure, value: int, why: str) -> Figure:
    return replace(figure, value=Fraction(value), kind="follows", source=why, low=None, high=None)


def _name(
    reader: Reader,
    tables: Mapping[str, Any],
    model: Entries,
    cluster: Entries,
    figures: Mapping[str, Figure],
) -> str:
    """What the job is called: as it says, or model and devices. Raises JobError."""
    given = tables.get("name")
    if given not in (None, ""):
        return words(Entry(given, "given", "", reader.file, reader.spell.get("name", "name")), 200)
    parts = f"{figures['n'].value} devices"
    if "name" in cluster:
        parts = f"{figures['n'].value} × {words(cluster['name'])}"
    return f"{model_name(model, figures)} on {parts}"
