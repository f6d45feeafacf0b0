"""Whether the codes of regions stand for the divisions that ISO means by them.

    venv/bin/python accuracy_codes.py --cache CACHE --tool ../../.build/release/roqua

PyPI iso3166-2 has a position for each code, from a source of its own. The tool is asked for the
code at each position. Prints how many are the same, and the others: positions near a border or off
the coast, and codes of the wrong division.
"""

import json
import struct
from collections import Counter

from build import BUNDLED
from iso_codes import ALPHABET
from measured_tool import ask, parse


def codes():
    """The codes in the bundled places.bin, read as docs/formats/geodata.md says."""
    data = (BUNDLED / "places.bin").read_bytes()
    for entry in range(struct.unpack_from("<I", data, 12)[0]):
        tag, offset, _, count = struct.unpack_from("<4sIII", data, 32 + 16 * entry)
        if tag == b"ADM1":
            for row in range(count):
                country, code = struct.unpack_from("<HH", data, offset + 16 * row + 8)
                digits = [code // 37 // 37, code // 37 % 37, code % 37]
                if code:
                    letters = "".join(ALPHABET[digit - 1] for digit in digits if digit)
                    yield f"{ALPHABET[10 + country // 26]}{ALPHABET[10 + country % 26]}-{letters}"


def main():
    sources, tool = parse(__doc__)
    known = set(codes())
    entries = [(code, entry["latLng"])
               for country in json.load(open(sources.iso_positions, encoding="utf-8")).values()
               for code, entry in sorted(country.items()) if code in known and entry["latLng"]]
    answers = ask(tool, [place[1] for _, place in entries], [place[0] for _, place in entries],
                  "countryCode", "regionCode", "region")
    counts = Counter()
    for (code, (latitude, longitude)), (country, answer, region) in zip(entries, answers):
        kind = ("the same" if answer == code else "at sea" if not country
                else "another" if answer else "no code")
        counts[kind] += 1
        if kind in ("another", "no code"):
            print(f"{code} at {latitude},{longitude}: {answer or 'no code'}, {region}")
    print(f"{len(known):,} codes, {len(entries):,} with a position: "
          + ", ".join(f"{count:,} {kind}" for kind, count in counts.most_common()))


if __name__ == "__main__":
    main()
