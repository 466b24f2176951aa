"""How near movements and time use are to those of real people: to data of the user, and to figures of studies."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import fmean, pstdev

from ville.analysis.run_statistics import estimated_mean
from ville.analysis.validity.data_files import RealData
from ville.analysis.validity.finding import ValidityFinding, estimated, finding, not_said, within
from ville.analysis.validity.trips import Mobility, TimeUse, Trip, kinds
from ville.plain_text import quantity

FEWEST_MOVES = 6
"""Trips of a person from which on their rhythm is told."""
NO_DATA = "No data of real people were given."
HOURS = tuple(range(24))


def realism(runs: Sequence[Mobility], real: RealData | None) -> Iterator[ValidityFinding]:
    """Yield findings on rhythm, time use, trips and stays."""
    yield _rhythm(runs)
    if real is None:
        yield not_said("real data", NO_DATA, details=(line for run in runs for line in _own_lines(run)))
        return
    if real.moves:
        yield _rhythm_beside(runs, real.moves)
    if use := real.time_use:
        yield _by_run("time use", runs, lambda run: time_apart(run.time_use, use), _time_details(runs, use))
    if real.trips:
        yield _lengths("trips", runs, real.trips, lambda trip: trip.minutes)
    if real.stays:
        yield _lengths("stays", runs, real.stays, lambda trip: trip.stayed)


def burstiness(times: Sequence[float]) -> float:
    """Return the burstiness of events (Goh & Barabási 2008): −1 for a clock, 0 for chance, 1 for one burst.

    It is (s − m) / (s + m), with mean m and standard deviation s of the times between them.
    """
    between = [later - earlier for earlier, later in pairwise(times)]
    spread, mean = pstdev(between), fmean(between)
    return (spread - mean) / (spread + mean) if spread + mean else -1.0


def time_apart(one: TimeUse, other: TimeUse) -> float:
    """Return by how many hours activities lie apart in the day: earth mover's distance of each, weighted by its share.

    Both shares count: an activity that only one side has is twelve hours apart.
    """
    from scipy.stats import wasserstein_distance  # type: ignore[import-untyped]  # noqa: PLC0415 - takes a second

    apart = 0.0
    for kind in kinds():
        mine, theirs = one.by_hour(kind), other.by_hour(kind)
        weight = (one.share(kind) + other.share(kind)) / 2
        far = wasserstein_distance(HOURS, HOURS, mine, theirs) if any(mine) and any(theirs) else 12.0
        apart += weight * float(far)
    return apart


def _rhythm(runs: Sequence[Mobility]) -> ValidityFinding:
    values = [(run.run, who, burstiness(times)) for run in runs for who, times in _moves(run).items()]
    if not values:
        return not_said("burstiness", f"No person made {FEWEST_MOVES} trips.")
    estimate, over = estimated(values)
    return finding("burstiness", within(estimate, -1.0), over, [f"{sum(len(run.trips) for run in runs):,} trips"])


def _rhythm_beside(runs: Sequence[Mobility], real: Mapping[str, Sequence[float]]) -> ValidityFinding:
    key, theirs = "burstiness beside data", [burstiness(each) for each in real.values() if len(each) >= FEWEST_MOVES]
    values = [(run.run, who, burstiness(times)) for run in runs for who, times in _moves(run).items()]
    if not theirs or not values:
        return not_said(key, f"No person {'of the runs' if theirs else 'of the data'} made {FEWEST_MOVES} trips.")
    mean = fmean(theirs)
    apart, over = estimated([(run, who, abs(value - mean)) for run, who, value in values])
    return finding(key, apart, over, [f"data: {mean:+.2f}, of {len(theirs):,} people"])


def _moves(run: Mobility) -> dict[str, list[float]]:
    """Return the times of the trips of each person who makes enough of them."""
    found: dict[str, list[float]] = {}
    for trip in run.trips:
        found.setdefault(trip.who, []).append(float(trip.begins))
    return {who: times for who, times in found.items() if len(times) >= FEWEST_MOVES}


def _lengths(
    key: str, runs: Sequence[Mobility], real: Sequence[float], length: Callable[[Trip], int | None]
) -> ValidityFinding:
    from scipy.stats import ks_2samp, wasserstein_distance  # noqa: PLC0415 - takes a second

    own = {run.run: [value for trip in run.trips if (value := length(trip)) is not None] for run in runs}
    shown = [f"{run}: {len(each):,}, mean {fmean(each):.1f} minutes" for run, each in own.items() if each]
    if not all(own.values()):
        return not_said(key, "A run has none.", details=shown)
    far = fmean(float(wasserstein_distance(each, real)) for each in own.values())
    details = [*shown, f"data: {len(real):,}, mean {fmean(real):.1f} minutes", f"{far:.1f} minutes apart (earth mover)"]
    by_run = {run: float(ks_2samp(each, real).statistic) for run, each in own.items()}
    return _by_run(key, runs, lambda run: by_run[run.run], details)


def _by_run(
    key: str, runs: Sequence[Mobility], of: Callable[[Mobility], float], details: Sequence[str]
) -> ValidityFinding:
    return finding(key, estimated_mean([of(run) for run in runs]), quantity(len(runs), "run", "runs"), details)


def _own_lines(run: Mobility) -> Iterator[str]:
    """Yield hours, trips and stays of a run."""
    yield _hours(run.run, run.time_use)
    stays = [trip.stayed for trip in run.trips if trip.stayed is not None]
    if stays:
        trips = f"{len(run.trips):,} trips of {fmean(trip.minutes for trip in run.trips):.1f} minutes"
        yield f"{run.run}: {trips}, stays of {fmean(stays):.1f} minutes"


def _hours(name: str, use: TimeUse) -> str:
    return f"{name}, hours a day: {', '.join(f'{kind} {24 * use.share(kind):.1f}' for kind in kinds())}"


def _time_details(runs: Sequence[Mobility], real: TimeUse) -> list[str]:
    return [*(_hours(run.run, run.time_use) for run in runs), _hours("data", real)]
