import TestSupport
import Testing

/// Positions in the forms that people paste, in every command that accepts one.
@Suite struct PositionFormTests {
  private static let forms: [[String]] = [
    ["48.5676", "7.8010"], ["48.5676,7.8010"], ["48.5676, 7.8010"], ["48.5676,", "7.8010"],
    ["48.5676N", "7.8010E"], ["7.8010E", "48.5676N"], ["N48.5676", "E7.8010"],
    ["48°34'3.36\"N 7°48'3.6\"E"], ["48°34'3.36\"", "7°48'3.6\""], ["geo:48.5676,7.8010;u=35"],
    ["48,5676", "7,8010"], ["https://www.openstreetmap.org/#map=15/48.5676/7.8010"],
  ]

  @Test(arguments: Self.forms)
  func `every command accepts every form of a position`(form: [String]) throws {
    let bench = try Bench()
    let place = try bench.roqua(["where"] + form + ["--json"])
    #expect(place.status == 0, "\(place.err)")
    let document = try JSONTree(parsing: place.out)
    #expect(document.latitude.double == 48.5676 && document.longitude.double == 7.801, "\(form)")
    try bench.importSamples()
    for command in [
      ["near"] + form + ["--radius", "500m"], ["near", "--nearest", "2"] + form,
      ["coverage", "--frontier-near"] + form + ["--frontier", "3"],
      ["forget", "--dry-run", "--near"] + form + ["--radius", "300m"],
    ] {
      let found = try bench.roqua(command + ["--json"])
      #expect(found.status == 0, "\(command) \(found.err)")
      let plain = command.filter { !form.contains($0) }
      let at = command.firstIndex(of: form[0]) ?? 0
      let expected = try bench.roqua(
        Array(plain.prefix(at)) + ["48.5676", "7.8010"] + Array(plain.dropFirst(at)) + ["--json"])
      #expect(found.out == expected.out, "\(command)")
      // Two empty answers would be equal as well.
      let answer = try JSONTree(parsing: found.out)
      #expect(
        !answer.regions.elements.isEmpty || !answer.frontier.elements.isEmpty
          || (answer.fixes.int ?? 0) > 0, "\(command) \(found.out)")
    }
  }

  @Test func `a minus sign can be typed or pasted`() throws {
    let bench = try Bench()
    for form in [
      ["-33.9", "18.4"], ["\u{2212}33.9", "18.4"], ["-33.9,18.4"], ["33.9S", "18.4E"],
      ["-33°54'", "18°24'"],
    ] {
      let result = try bench.roqua(["where"] + form + ["--json"])
      #expect(try JSONTree(parsing: result.out).countryCode == .string("ZA"), "\(form)")
    }
  }

  @Test func `swapped axes are an error that suggests the right order`() throws {
    let bench = try Bench()
    for command in [["where", "121.5", "25.03"], ["near", "121.5,25.03"]] {
      let result = try bench.roqua(command)
      #expect(result.status == 64)
      #expect(result.err.contains("did you mean 25.03, 121.5"), "\(result.err)")
    }
    let batch = try bench.roqua(
      "where", "--batch", input: "121.5,25.03\n48.85N 2.35E\n-33,9; 18,4\n")
    #expect(batch.status == 2)
    #expect(batch.errorLines.count == 1)
    #expect(batch.err.hasPrefix("roqua: line 1: The latitude comes first"))
    let lines = batch.out.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 4)
    #expect(lines[0] == "" && lines[1].hasPrefix("FR\t") && lines[2].hasPrefix("ZA\t"))
  }

  @Test(arguments: ["48,5676 7 E", "48,5676 N", "48 34 N", "48°34", "48.5676 – 7.8010"])
  func `forget erases nothing if a position is ambiguous`(form: String) throws {
    let bench = try Bench()
    try bench.importSamples()
    let result = try bench.roqua("forget", "--near", form, "--radius", "300m")
    #expect(result.status == 64, "\(result.out)")
    #expect(result.err.contains(form), "\(result.err)")
  }

  @Test func `an unreadable position is quoted in the error`() throws {
    let bench = try Bench()
    let result = try bench.roqua("near", "Paris", "\u{1B}[31m")
    #expect(result.status == 64)
    #expect(result.err.contains("\"Paris \\u{1b}[31m\" is not a latitude and a longitude"))
    #expect(result.controlCharacters == [])
  }
}
