import Foundation
import TestSupport
import Testing

/// `roqua where --csv`.
@Suite struct PlaceTableTests {
  private static let added =
    "country_code,country,region_code,region,district,city,quarter,time_zone,sea"

  private static func lines(_ output: String) -> [String] {
    output.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  @Test func `each row keeps its text and gets the fields of a single lookup`() throws {
    let bench = try Bench()
    let rows = [
      #"1,"Kehl, Germany",48.5676,7.8010"#, "2,\"two\nlines\",-33.9,18.4",
      #"3,"a ""b""",-45,-130.5"#,
    ]
    let positions = [("48.5676", "7.8010"), ("-33.9", "18.4"), ("-45", "-130.5")]
    let table = (["id,name,lat,lon"] + rows).joined(separator: "\r\n") + "\r\n"
    try bench.folder.write(table, to: "in.csv")
    let result = try bench.roqua("where", "--csv", "in.csv")
    #expect(result.status == 0)
    #expect(result.err == "")
    var expected = ["id,name,lat,lon,\(Self.added)"]
    for (row, position) in zip(rows, positions) {
      let place = try bench.json("where", position.0, position.1)
      let values = [
        place.countryCode, place.country, place.regionCode, place.region, place.district,
        place.city, place.quarter, place.timeZone, place.sea,
      ]
      expected.append(row + "," + values.map { $0.string ?? "" }.joined(separator: ","))
    }
    #expect(result.out == expected.joined(separator: "\n") + "\n")
    #expect(try bench.roqua("where", "--csv", "-", input: table).out == result.out)
    #expect(!bench.hasStore, "looking up places needs no store")
  }

  @Test func `columns are stated by name or number, and separators are kept`() throws {
    let bench = try Bench()
    let named = try bench.roqua(
      "where", "--csv", "-", "--lat-column", "y", "--lon-column", "1",
      input: "x;Y;city\n7,801;48,5676;mine\n")
    #expect(named.status == 0)
    let lines = Self.lines(named.out)
    #expect(
      lines[0]
        == "x;Y;city;country_code;country;region_code;region;district;city_2;quarter;time_zone;sea")
    #expect(lines[1].hasPrefix("7,801;48,5676;mine;FR;France;FR-GES;"))
    let headless = try bench.roqua(
      "where", "--csv", "-", "--lat-column", "1", "--lon-column", "2", input: "48.5676\t7.8010\n")
    #expect(headless.out.hasPrefix("48.5676\t7.8010\tFR\tFrance\t"))
    #expect(Self.lines(headless.out).count == 1)
  }

  @Test func `a row without a position gets empty fields, an invalid one is an error too`() throws {
    let bench = try Bench()
    let table = "lat,lon,note\n48.1,11.5,a\n,,pause\n\n91,0,b\nx,1,c\n48.1\n"
    let result = try bench.roqua("where", "--csv", "-", input: table)
    #expect(result.status == 2)
    let lines = Self.lines(result.out)
    #expect(lines.count == 7)
    let empty = ",,,,,,,,,"
    #expect(
      lines[2...] == [",,pause" + empty, "", "91,0,b" + empty, "x,1,c" + empty, "48.1,," + empty])
    #expect(
      result.errorLines
        == [5, 6, 7].map {
          "roqua: standard input, line \($0): "
            + "A coordinate is missing, not a number or out of range."
        })
    let hopeless = try bench.roqua("where", "--csv", "-", input: "lat,lon\nx,y\n")
    #expect(hopeless.status == 1)
  }

  @Test func `a file that is no table of positions is refused in one line`() throws {
    let bench = try Bench()
    for (input, arguments, reason) in [
      ("a,b\n1,2\n", [], "Its first row does not name columns of latitude and longitude."),
      (
        "a,b\n1,2\n", ["--lat-column", "c", "--lon-column", "b"],
        "Its first row has no column named c."
      ),
      (
        "lat,a,LAT,lon\n1,2,3,4\n", [],
        "Its first row has several columns named lat; state the right one by its number."
      ),
      (
        "lat,x,x,y\n1,2,3,4\n", ["--lat-column", "y", "--lon-column", "X"],
        "Its first row has several columns named x; state the right one by its number."
      ),
      (
        "PK\u{3}\u{4}\u{14}\u{0}a.csv\n", [],
        "It is a zip archive; --csv reads a table, also one in gzip."
      ),
      ("", [], "It contains no row."),
    ] {
      let result = try bench.roqua(["where", "--csv", "-"] + arguments, input: input)
      #expect(result.status == 1)
      #expect(result.out == "")
      #expect(result.err == "roqua: standard input: \(reason)\n")
    }
    let missing = try bench.roqua("where", "--csv", "missing.csv")
    #expect(missing.status == 1)
    #expect(missing.errorLines.count == 1)
    for arguments in [
      ["--batch"], ["--json"], ["48.1", "11.5"],
    ] {
      #expect(try bench.roqua(["where", "--csv", "a.csv"] + arguments).status == 64)
    }
    #expect(try bench.roqua("where", "48.1", "11.5", "--lat-column", "a").status == 64)
  }

  @Test func `a column whose name others have is stated by its number`() throws {
    let bench = try Bench()
    let arguments = ["where", "--csv", "-", "--lat-column", "3", "--lon-column", "4"]
    let result = try bench.roqua(arguments, input: "lat,a,lat,lon\n0,0,41,29\n")
    #expect(result.status == 0 && result.out.contains("\n0,0,41,29,TR,"), "\(result.err)")
    // Names that no position uses may repeat.
    let notes = try bench.roqua("where", "--csv", "-", input: "lat,note,note,lon\n41,a,b,29\n")
    #expect(notes.status == 0 && notes.out.contains("\n41,a,b,29,TR,"), "\(notes.err)")
  }

  @Test func `a table that is compressed with gzip is expanded`() throws {
    let bench = try Bench()
    let table = "lat,lon\n48.5676,7.8010\n41,29\n"
    let whole = Deflate.gzip(Array(table.utf8))
    try bench.folder.write(whole, to: "c.csv.gz")
    let result = try bench.roqua("where", "--csv", "c.csv.gz")
    #expect(result.status == 0 && result.err == "")
    #expect(result.out == (try bench.roqua("where", "--csv", "-", input: table).out))
    try bench.folder.write(Array(whole.dropLast(9)), to: "cut.csv.gz")
    let cut = try bench.roqua("where", "--csv", "cut.csv.gz")
    #expect(cut.status == 2)
    #expect(
      cut.err
        == "roqua: cut.csv.gz: The gzip stream is cut off; everything before the cut was read.\n")
    var damaged = whole
    damaged[whole.count - 6] ^= 0xFF
    try bench.folder.write(damaged, to: "bad.csv.gz")
    let bad = try bench.roqua("where", "--csv", "bad.csv.gz")
    #expect(bad.status == 1 && bad.errorLines.count == 1, "\(bad.err)")
  }

  @Test func `a terminal gets no control character of a table, a pipe gets the bytes`() throws {
    let bench = try Bench()
    let table =
      "lat\tlon\tno\u{1B}[31mte\n" + "41\t29\t\u{1B}]0;x\u{7}\u{9B}1m\n" + "\t\t\u{1B}[2J\n"
    try bench.folder.write(table, to: "in.tsv")
    let piped = try bench.roqua("where", "--csv", "in.tsv")
    #expect(piped.out.contains("41\t29\t\u{1B}]0;x\u{7}\u{9B}1m\tTR\t"))
    let shown = try bench.roquaOnTerminal("where", "--csv", "in.tsv")
    #expect(shown.controlCharacters.allSatisfy { [0x09, 0x0D].contains($0) }, "\(shown.out)")
    #expect(shown.out.contains(#"no\u{1b}[31mte"# + "\tcountry_code"))
    #expect(shown.out.contains("41\t29\t" + #"\u{1b}]0;x\u{7}\u{9b}1m"# + "\tTR\t"))
    #expect(shown.out.contains(#"\u{1b}[2J"#))
  }

  @Test func `a long row, and one that is not closed, leave the others as they are`() throws {
    let bench = try Bench()
    let long = "48.57,7.8,\"" + String(repeating: "1 2,", count: 50_000) + "\""
    let table = "lat,lon,shape\n\(long)\n41,29,\"a\"\n48.57,7.8,\"open\n41,29,b\n"
    let result = try bench.roqua("where", "--csv", "-", input: table)
    #expect(result.status == 2)
    let lines = Self.lines(result.out)
    #expect(lines.count == 5)
    #expect(lines[1].hasPrefix(long + ",FR,"))
    #expect(lines[2].hasPrefix("41,29,\"a\",TR,"))
    #expect(lines[3...] == ["48.57,7.8,\"open", "41,29,b"])
    #expect(
      result.errorLines == ["roqua: standard input, line 4: A quotation mark is not closed."])
    for columns in [["1", "1"], ["lat", "1"]] {
      let same = try bench.roqua(
        "where", "--csv", "-", "--lat-column", columns[0], "--lon-column", columns[1],
        input: table)
      #expect(same.status != 0)
      #expect(same.out == "")
    }
  }

  @Test func `rows beyond the collected ones keep their order`() throws {
    let bench = try Bench()
    let rows = (0..<20_000).map { "\($0),\(Double($0 % 170) - 85).5,\(Double($0 % 359) - 179)" }
      .map { $0.replacingOccurrences(of: ".0.5", with: ".5") }
    let table = "id,lat,lon\n" + rows.joined(separator: "\n")
    let result = try bench.roqua("where", "--csv", "-", input: table)
    let lines = Self.lines(result.out)
    #expect(lines.count == 20_001)
    #expect(zip(rows, lines.dropFirst()).allSatisfy { $1.hasPrefix($0 + ",") })
    let positions = rows.map { $0.split(separator: ",").dropFirst().joined(separator: ",") }
    let batch = try bench.roqua(
      "where", "--batch", input: positions.joined(separator: "\n") + "\n")
    let codes = Self.lines(batch.out).map { $0.prefix { $0 != "\t" } }
    #expect(
      lines.dropFirst().map { $0.split(separator: ",", omittingEmptySubsequences: false)[3] }
        == codes)
  }
}
