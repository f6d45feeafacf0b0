import TestSupport
import Testing

/// The answer to an unknown word on the command line.
@Suite struct SuggestionTests {
  @Test(arguments: [
    (["imprt"], "import"), (["imprt", "a.gpx"], "import"), (["statss"], "stats"),
    (["hlep"], "help"),
    (["help", "coverag"], "coverage"), (["WITHIN"], "within"), (["chekc"], "check"),
  ])
  func `an unknown command gets the nearest one as a suggestion`(
    arguments: [String], expected: String
  ) throws {
    let bench = try Bench()
    let result = try bench.roqua(arguments)
    #expect(result.status == 64)
    #expect(result.out == "")
    let unknown = arguments.last == "a.gpx" ? arguments[0] : arguments.last ?? ""
    #expect(result.err.hasPrefix("Error: There is no command \"\(unknown)\""))
    #expect(result.err.contains("Did you mean \"\(expected)\"?"))
    #expect(!bench.hasStore)
  }

  @Test func `an unknown command that resembles no other gets no suggestion`() throws {
    let result = try Bench().roqua("quxfrobnicate")
    #expect(result.status == 64)
    #expect(result.err == "Error: There is no command \"quxfrobnicate\". See roqua --help.\n")
  }

  @Test func `an unknown option gets the nearest one as a suggestion`() throws {
    for (arguments, command, option, guess) in [
      (["within", "--contry", "FR"], "within", "--contry", "--country"),
      (["near", "0", "0", "--raduis=2km"], "near", "--raduis", "--radius"),
      (["zone", "add", "0", "0", "--nmae", "home"], "zone add", "--nmae", "--name"),
      (["stats", "--limit", "5"], "stats", "--limit", nil),
    ] {
      let result = try Bench().roqua(arguments)
      #expect(result.status == 64)
      #expect(result.out == "")
      let question = guess.map { " Did you mean \($0)?" } ?? ""
      #expect(
        result.err == "Error: roqua \(command) has no option \(option).\(question)\n"
          + "  See 'roqua \(command) --help' for more information.\n")
    }
  }

  @Test(arguments: [
    ("explorationRadius", "explorationRadiusMeters"), ("visitgapminutes", "visitGapMinutes"),
    ("visitGapMinuts", "visitGapMinutes"), ("exploration-radius-meters", "explorationRadiusMeters"),
  ])
  func `an unknown setting gets the nearest one as a suggestion`(
    key: String, expected: String
  ) throws {
    let result = try Bench().roqua("settings", key)
    #expect(result.status == 64)
    #expect(result.err.contains("There is no setting \(key). Did you mean \(expected)"))
    #expect(
      try Bench().roqua("settings", "nonsense").err.contains(
        "Known settings: maximumAccuracyMeters,"))
  }
}
