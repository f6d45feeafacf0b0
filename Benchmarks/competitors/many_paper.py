"""The tables and the drawing of Benchmarks/many, and its extrapolation on paper."""

import dataclasses, math

from .tools import span

QUESTIONS = {
    "union": "the union of all, with its cells", "people per tile": "people per tile",
    "top cities": "the top 100 cities", "public tiles": "what 5 people have explored",
    "area of all": "the area of the union", "summary": "a summary of each person",
    "picture, zoom 4": "a picture at zoom 4", "picture, zoom 12": "a picture at zoom 12",
    "people near": "the people near a point", "area of one": "the area of one person",
}
DRAWN = ("union", "people per tile", "top cities", "public tiles", "summary", "people near")
#: Light and dark, for one, two, … servers.
COLORS = (("#2f6f9f", "#7db8e0"), ("#b3541e", "#f0a070"), ("#4a7f2c", "#9fd07f"),
          ("#7a4a9f", "#c9a0ea"))
#: For each question the table that it reads, the bytes of a group that a server sends to the
#: coordinator (bits travel as hexadecimal digits), and the share of the table with its indexes that
#: it reads.
PARTS = {
    "union": ("tiles", 1_050, 0.95), "people per tile": ("tiles", 24, 0.05),
    "top cities": ("regions", 40, 0.55), "public tiles": ("tiles", 8_200, 0.95),
}


@dataclasses.dataclass
class Figures:
    servers: int
    people: int
    #: Seconds of each question, and of one server in one process.
    seconds: dict
    serial: dict
    #: Processor seconds of each question: of the coordinator or only server, then of the others.
    used: dict
    #: Rows and bytes of each table by server.
    sizes: dict
    #: Different tiles and cities of all people, and the cells of each added up.
    tiles: int
    cities: int
    cells: int
    #: Seconds of loading the people of this step, and their number.
    loading: float
    loaded: int


def add_options(parser):
    """What the extrapolation assumes."""
    group = parser.add_argument_group("assumptions on paper")
    for name, default, text in (
            ("paper", 1_000_000, "people"),
            ("machine-disk", 8e12, "bytes of a machine for data"),
            ("machine-memory", 256e9, "bytes of memory of a machine"),
            ("machine-cores", 32, "cores of a machine, each with a server"),
            ("full", 0.6, "share of the disk that may be used"),
            ("disk-rate", 3e9, "bytes a second that a machine can read from its disk"),
            ("all-tiles", 4e6, "the most tiles that all people together explore"),
            ("all-cities", 2e5, "the most cities that all people together visit"),
            ("network", 1.25e9, "bytes a second that the coordinator can read"),
            ("machine-price", 600, "price of a machine a month, in any currency"),
            ("disk-price", 80e-12, "price of a byte of disk a month"),
            ("copies", 2, "copies of everything, the first included")):
        group.add_argument(f"--{name}", type=float, default=default, metavar="N",
                           help=f"{text} ({default:g})")


def fit(points):
    """The slope, and the value at 1, of a line through logarithms, by least squares."""
    xs, ys = [math.log(x) for x, _ in points], [math.log(y) for _, y in points]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    square = sum((x - mean_x) ** 2 for x in xs)
    slope = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys)) / square if square else 1
    return slope, math.exp(mean_y - slope * mean_x)


def last_of(runs):
    """For each number of servers the run with the most people."""
    return list({run.servers: run for run in runs}.values())


def size(bytes_):
    for unit, factor in (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("kB", 1e3)):
        if bytes_ >= factor:
            return f"{bytes_ / factor:,.3g} {unit}"
    return f"{bytes_:,.0f} bytes"


def seconds(value):
    return f"{value:,.0f} s" if value >= 100 else f"{value:.3g} s"


def servers_of(run):
    return f"{run.servers} server{'s' * (run.servers > 1)}"


def processors(seconds_):
    """Processor seconds of the busiest server, and of the coordinator if there is one."""
    first, *others = seconds_
    return f"{span(max(others))} + {span(first)}" if others else span(first)


def tables(runs, limits, options):
    """Heads and rows of the tables."""
    ends = sorted(last_of(runs), key=lambda run: run.servers)
    rows = []
    for run in ends:
        for name, tables_ in run.sizes.items():
            rows.append([f"{run.servers}", name or "the only one", *(
                f"{count:,}, {size(bytes_)}" for count, bytes_ in tables_.values())])
    names = list(next(iter(ends[0].sizes.values())))
    yield ["servers", "rows and size on", *names], rows

    first = ends[0]
    head = [f"{first.people:,} people, {first.cells / first.people:,.0f} cells each"]
    alone = ["1 server, one process"] * bool(first.serial)
    head += alone + [*map(servers_of, ends), "must", ""]
    rows = []
    for name, title in QUESTIONS.items():
        if name not in first.seconds:
            continue
        limit = limits.get(name)
        verdict = ""
        if limit:
            verdict = "reached" if min(run.seconds[name] for run in ends) <= limit else "**missed**"
        rows.append([title, *[span(first.serial[name]) for _ in alone],
                     *(span(run.seconds[name]) for run in ends),
                     f"{limit} s" if limit else "", verdict])
    rows.append(["loading a person", *[""] * len(alone),
                 *(span(run.loading / run.loaded) for run in ends), "", ""])
    yield head, rows

    yield (["processor seconds of the busiest server + of the coordinator",
            *map(servers_of, ends)],
           [[title, *(processors(run.used[name]) for run in ends)]
            for name, title in QUESTIONS.items() if name in first.used])

    for servers in dict.fromkeys(run.servers for run in runs):
        steps = [run for run in runs if run.servers == servers]
        if len(steps) < 2:
            continue
        rows = [["different tiles", *(f"{run.tiles:,}" for run in steps),
                 f"{fit([(run.people, run.tiles) for run in steps])[0]:.2f}"]]
        for name, title in QUESTIONS.items():
            if name in steps[0].seconds:
                slope, _ = fit([(run.people, run.seconds[name]) for run in steps])
                rows.append([title, *(span(run.seconds[name]) for run in steps), f"{slope:.2f}"])
        yield ([f"growth, servers: {servers}", *(f"{run.people:,} people" for run in steps),
                "slope"], rows)
    if first.serial:
        yield paper([run for run in runs if run.servers == first.servers], ends[1:], options)


def paper(steps, divided, options):
    """An extrapolation from the steps of one server. A machine runs a server for each core, because
    a server answers in one process: as fast as the measured one, but no faster than its share of
    the disk can be read. Then the coordinator joins the groups of all servers, each of which takes
    the processor time that it took with the most servers. The columns have the machines that
    storage needs, 4 times and 16 times as many."""
    last, count = steps[-1], options.paper
    names = list(next(iter(last.sizes.values())))
    rows_of, bytes_of = (
        {name: sum(one[name][part] for one in last.sizes.values()) / last.people for name in names}
        for part in (0, 1))
    each = sum(bytes_of.values())
    least = math.ceil(each * count / (options.machine_disk * options.full))
    machines = [least, 4 * least, 16 * least]
    rows = [
        ["rows of a person", *[", ".join(
            f"{rows_of[name]:,.0f} in {name}" for name in names)] * 3],
        ["storage of a person", *[f"{size(each)}: " + ", ".join(
            f"{size(bytes_of[name])} in {name}" for name in names)] * 3],
        ["all rows, one copy", *[f"{sum(rows_of.values()) * count / 1e9:,.1f} billion, "
                                 f"{size(each * count)}"] * 3],
        ["people on a machine", *(f"{count / some:,.0f}" for some in machines)],
        ["tables and indexes, compared with the memory of all machines",
         *(f"{each * count / (some * options.machine_memory):.1f} times" for some in machines)],
    ]
    rows = [[row[0], row[1], *("" if value == row[1] else value for value in row[2:])]
            for row in rows]
    fits = {"tiles": fit([(run.people, run.tiles) for run in steps]),
            "regions": fit([(run.people, run.cities) for run in steps])}
    most = {"tiles": (options.all_tiles, "tiles"), "regions": (options.all_cities, "places")}

    def groups(part, servers, people):
        """The groups that all servers send, each for some people."""
        slope, factor = fits[part]
        limit, rows_table = most[part]
        return servers * min(factor * people ** slope, limit, people * rows_of[rows_table])

    for name, (part, group, read) in PARTS.items():
        if name not in last.serial:
            continue
        line = [QUESTIONS[name]]
        # A slope below 1 comes from what a small table costs.
        own_slope = max(fit([(run.people, run.serial[name]) for run in steps])[0], 1)
        for some in machines:
            servers = some * options.machine_cores
            share = count / servers
            own = max(last.serial[name] * (share / last.people) ** own_slope,
                      count / some * bytes_of[part] * read / options.disk_rate)
            line.append(seconds(own))
            for run in divided[-1:]:
                sent = groups(part, servers, share)
                measured = groups(part, run.servers, run.people / run.servers)
                join = sent * max(group / options.network, run.used[name][0] / measured)
                line[-1] += f" + {seconds(join)}"
        rows.append(line)
    prices = [options.copies * (some * options.machine_price + each * count * options.disk_price)
              for some in machines]
    rows += [["cost a month", *(f"{price:,.0f}" for price in prices)],
             ["cost of a person a month", *(f"{price / count:.4f}" for price in prices)]]
    head = (f"on paper: {count:,.0f} people. A machine has {options.machine_cores:g} cores, each "
            f"with a server, {size(options.machine_memory)} of memory, "
            f"{size(options.machine_disk)} of disk, "
            f"{options.full:.0%} full, read at {size(options.disk_rate)}/s, and costs "
            f"{options.machine_price:g} a month; a TB costs {options.disk_price * 1e12:g}; "
            f"{options.copies:g} copies. Times: on each server"
            + " + on the coordinator" * bool(divided))
    return [head, *(f"{some:,} machine{'s' * (some > 1)}" for some in machines)], rows


def draw(runs, path):
    """The seconds of some questions over the number of people, with a line per number of
    servers."""
    names = [name for name in DRAWN if name in runs[0].seconds]
    servers = list(dict.fromkeys(run.servers for run in runs))
    width, height, gap, columns = 250, 170, 34, 3
    lines = -(-len(names) // columns)
    across, down = columns * (width + gap) + gap, lines * (height + gap + 20) + gap + 10
    light = "".join(f".s{i}{{--c:{one[0]}}}" for i, one in enumerate(COLORS))
    dark = "".join(f".s{i}{{--c:{one[1]}}}" for i, one in enumerate(COLORS))
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {across} {down}" '
        'font-family="sans-serif" font-size="11">',
        "<style>svg{--ink:#222222;--pale:#555555;--line:#dddddd;--page:#ffffff}" + light
        + "@media (prefers-color-scheme:dark){svg{--ink:#eeeeee;--pale:#aaaaaa;--line:#444444;"
        "--page:#16191d}" + dark + "}"
        "text{fill:var(--ink)}.pale{fill:var(--pale)}.line{stroke:var(--line);fill:none}"
        "polyline{stroke:var(--c);fill:none;stroke-width:1.5}circle,.key{fill:var(--c)}</style>",
        f'<rect width="{across}" height="{down}" style="fill:var(--page)"/>',
    ]
    counts = sorted({run.people for run in runs})
    spread = math.log(counts[-1] / counts[0]) or 1
    for number, name in enumerate(names):
        left = gap + number % columns * (width + gap)
        top = gap + number // columns * (height + gap + 20)
        values = [run.seconds[name] for run in runs]
        low = math.floor(math.log10(min(values)) - 0.1)
        high = math.ceil(math.log10(max(values)) + 0.1)

        def at(x, y):
            return (left + 20 + math.log(x / counts[0]) / spread * (width - 50),
                    top + height - (math.log10(y) - low) / (high - low) * height)

        out.append(f'<text x="{left}" y="{top - 8}" font-weight="bold">{QUESTIONS[name]}</text>'
                   f'<rect class="line" x="{left}" y="{top}" width="{width}" height="{height}"/>')
        for power in range(low, high + 1):
            y = at(counts[0], 10 ** power)[1]
            out.append(f'<path class="line" d="M{left} {y:.1f}h{width}"/>'
                       f'<text class="pale" x="{left + 3}" y="{y - 3:.1f}">'
                       f'{span(10 ** power)}</text>' if power < high else "")
        for people in counts:
            out.append(f'<text class="pale" x="{at(people, 1)[0]:.1f}" y="{top + height + 14}" '
                       f'text-anchor="middle">{people:,}</text>')
        for index, some in enumerate(servers):
            points = [at(run.people, run.seconds[name]) for run in runs if run.servers == some]
            out.append(f'<g class="s{index % len(COLORS)}"><polyline points="'
                       + " ".join(f"{x:.1f},{y:.1f}" for x, y in points) + '"/>'
                       + "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3"/>' for x, y in points)
                       + "</g>")
    x = gap
    for index, some in enumerate(servers):
        out.append(f'<g class="s{index % len(COLORS)}"><rect class="key" x="{x}" y="{down - 20}" '
                   f'width="10" height="10"/></g><text x="{x + 15}" y="{down - 11}">'
                   f'{some} server{"s" * (some > 1)}</text>')
        x += 85
    out.append(f'<text class="pale" x="{x + 10}" y="{down - 11}">People from left to right; both '
               'axes are logarithmic.</text></svg>')
    path.write_text("\n".join(line for line in out if line) + "\n")
