"""The page of results: first where kith loses, then the tables, then what was not measured."""

from tasks.stats import Figure
from tasks.touch import PRODUCT, REACH

TITLES = {"T1": "who answers", "T2": "who knows whom", "T3": "which strangers come in touch", "T4": "which introduction takes",
          "T5": "right paths, order and bounds", "T7": "plain words", "T8": "exports to identities"}
PATH_REACH, SUM = "product / degree of the introducer", "sum over connectors"
HEAD = """# Results

Written by `yardstick/run --write`; [the page of the yardstick](../README.md) says what each figure is. Brackets hold 95 % intervals
by bootstrap over owners. A system that cannot be asked has a –. *Italic* ways of ranking are formulas over the same ties, no systems.

"""
NOT_MEASURED = """## What was not measured

- Each archive is the mail within one organization: outsiders, and talk that is no mail, are missing. There are neither calendars nor
  profiles, so T1 looks at three factors of kith's score.
- Recipients are all alike: none of the three archives says who was in *To* and who in *Cc*.
- A mail that introduces is found by its recipients, not by its words; most are work, so T4 is a proxy.
- T7 is over two made-up networks. Its queries are public, and kith's own tests print the same ones: `tune` was worked on, `held_out` was
  only counted. Hidden queries are not part of it.
- T8 has no rows of real people. Febrl's rows have no address, profile or company, the parts by which kith joins.
- Nobody who knows the other systems well has tuned their adapters. They are what an afternoon gives.
"""


def cell(row: dict | None) -> str:
    if row is None or row["value"] is None:
        return "–"
    return number(row["value"]) + ("" if row["low"] is None else f" ({number(row['low'])} to {number(row['high'])})")


def number(value: float) -> str:
    return f"{value:.3f}".replace("0.", ".", 1) if abs(value) < 1 else f"{value:.3f}".rstrip("0").rstrip(".")


def shown(figure: Figure, name: str) -> str:
    return f"*{name}*" if name in figure.baselines else name


def compared(figures: list[Figure]) -> tuple[list[str], list[str], list[str]]:
    """Rows of the table of losses, and short lists of draws and of wins, each against the best other."""
    losses, draws, wins = [], [], []
    for figure in figures:
        others = [name for name in figure.systems if name != "kith" and not name.startswith("fewer recipients") and figure.row(name)["value"] is not None]
        if "kith" not in figure.systems or not others or figure.row("kith")["value"] is None:
            continue
        best = max(others, key=lambda name: figure.row(name)["value"])
        less = figure.less(best, "kith")
        where = f"{figure.task}, {figure.data}: {figure.name}"
        if less["low"] is not None and less["low"] > 0:
            losses.append(f"| {where} | {cell(figure.row('kith'))} | {shown(figure, best)} {cell(figure.row(best))} | {cell(less)} |")
        elif less["high"] is not None and less["high"] < 0:
            wins.append(where)
        else:
            draws.append(where)
    return losses, draws, wins


def reach(figures: list[Figure]) -> str:
    """Whether the sum over connectors, plain or divided by their degrees, is better than the product of the legs."""
    lines, better = [], {}
    for figure in figures:
        for name in (REACH, SUM, PATH_REACH):
            if figure.task in ("T3", "T4") and name in figure.systems:
                less = figure.less(name, PRODUCT)
                lines.append(f"| {figure.task}, {figure.data} | {name} | {cell(figure.row(PRODUCT))} | {cell(figure.row(name))} | {cell(less)} |")
                if less["low"] is not None and less["low"] > 0:
                    better.setdefault((figure.task, name), []).append(figure.data)
    if not lines:
        return ""
    over = [f"{figure.data} {cell(figure.less(REACH, SUM))}" for figure in figures if figure.task == "T3"]
    archives = len({figure.data for figure in figures if figure.task in ("T3", "T4")})
    on = lambda task, name: f"on {len(better.get((task, name), []))} of {archives} archives" + (f" ({', '.join(better[task, name])})" if (task, name) in better else "")
    return ("## Is reach a better order than the product?\n\nReach is the sum over connectors of both legs' product divided by the connector's degree. The "
            "differences are paired: the same resamples of owners for both. Better means that the interval lies above 0.\n\n"
            f"- As an order of targets (T3) reach is better {on('T3', REACH)}, the plain sum {on('T3', SUM)}. Reach less the plain sum: {'; '.join(over)}.\n"
            f"- As a forecast of which introduction takes (T4) reach is better {on('T4', REACH)}, the plain sum {on('T4', SUM)}.\n"
            f"- If each path counts by itself, as in the list of paths to one target, product / degree is better {on('T4', PATH_REACH)} (T4).\n\n"
            "| | way | product of the legs | this way | less the product |\n| --- | --- | --- | --- | --- |\n" + "\n".join(lines) + "\n\n")


def tables(figures: list[Figure]) -> str:
    text = ""
    for task, title in TITLES.items():
        own = [figure for figure in figures if figure.task == task]
        if not own:
            continue
        text += f"## {task}: {title}\n\n"
        if any(figure.baselines for figure in own):
            names = sorted({name for figure in own for name in figure.systems}, key=lambda name: (any(name in it.baselines for it in own), name != "kith", name))
            text += "| | " + " | ".join(f"{figure.data}: {figure.of_what}" for figure in own) + " |\n| --- |" + " --- |" * len(own) + "\n"
            text += "".join(f"| {shown(own[0], name)} | " + " | ".join(cell(figure.row(name) if name in figure.systems else None) for figure in own) + " |\n"
                            for name in names) + "\n"
        else:
            names = sorted({name for figure in own for name in figure.systems}, key=lambda name: (name != "kith", name))
            text += "| | of | " + " | ".join(names) + " |\n| --- | --- |" + " --- |" * len(names) + "\n"
            text += "".join(f"| {figure.data}: {figure.name} | {figure.of_what} | "
                            + " | ".join(cell(figure.row(name) if name in figure.systems else None) for name in names) + " |\n" for figure in own) + "\n"
    return text


def scaled(rows: list[dict]) -> str:
    """The table of latency and memory, each beside the best of its row."""
    if not rows:
        return ""
    text = ("## T6: latency and memory\n\nTimes of one machine, not the same at the next run; compare the ratios. The question is the 20 best paths of all types to "
            "one of 200 people, through the adapter, HTTP and JSON included. "
            "kith looks at the 256 warmest edges of a target and the 64 of a connector, the others and *bounds off* at all. In brackets how many times the best.\n\n"
            "| edges | system | half take at most | 99 of 100 | memory | to load |\n| --- | --- | --- | --- | --- | --- |\n")
    for row in rows:
        name = f"| {row['edges']:,} | {row['system']} |"
        if "p50" not in row:
            text += f"{name} {row['missing'].split(':')[0]} | – | – | – |\n"
            continue
        least = {key: min(other[key] for other in rows if other["edges"] == row["edges"] and key in other) for key in ("p50", "p99", "memory", "load")}
        times = lambda key: f" ({row[key] / least[key]:.1f})"
        text += (f"{name} {row['p50']:.2f} ms{times('p50')} | {row['p99']:.2f} ms{times('p99')} | {row['memory'] / 2**20:.0f} MiB{times('memory')} | "
                 f"{row['load']:.1f} s{times('load')} |\n")
    return text + "\n"


def beaten(own: dict, rows: list[dict]) -> list[str]:
    """A line for each part of T6 in which another system is at least a tenth better than kith."""
    names = {"p50": "half of the questions", "p99": "the slowest question in a hundred", "memory": "memory", "load": "the time to load"}
    lines = []
    for key, name in names.items():
        best = min((row for row in rows if row["edges"] == own["edges"] and key in row and row["system"] != "kith, bounds off"), key=lambda row: row[key], default=own)
        if best is not own and own.get(key, 0) > 1.1 * best[key]:
            lines.append(f"- {own['edges']:,} edges, {name}: {own[key] / best[key]:.1f} times that of {best['system']}\n")
    return lines


def page(figures: list[Figure], rows: list[dict], notes: list[str], about: str) -> str:
    losses, draws, wins = compared(figures)
    text = HEAD + f"Measured: {about}.\n\n## Where kith loses\n\n"
    if losses:
        text += ("kith against the best of the others, if the interval of the paired difference excludes 0. Which one is the best is seen in the same "
                 "data, so a small difference is flattered.\n\n"
                 "| | kith | the best | less kith |\n| --- | --- | --- | --- |\n" + "\n".join(losses) + "\n\n")
    else:
        text += "By no interval among the figures of this run.\n\n"
    slower = [line for row in rows if row["system"] == "kith" for line in beaten(row, rows)]
    text += "By the clock of one machine ([T6](#t6-latency-and-memory)):\n\n" + "".join(slower) + "\n" if slower else ""
    text += reach(figures)
    listed = lambda head, lines: f"## {head}\n\n" + "".join(f"- {line}\n" for line in lines) + "\n" if lines else ""
    text += listed("Where no difference can be shown", draws) + listed("Where kith is better than all others", wins)
    return text + tables(figures) + scaled(rows) + listed("Notes of the run", notes) + NOT_MEASURED
