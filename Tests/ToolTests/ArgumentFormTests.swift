import TestSupport
import Testing

@testable import roqua_tool

/// Arguments have the same forms and the same errors in all commands.
@Suite struct ArgumentFormTests {
  @Test(
    arguments: [
      ["near", "48", "7", "--nearest"], ["near", "48", "7", "--limit"],
      ["within", "48", "7", "49", "8", "--limit"], ["coverage", "--frontier"],
      ["coverage", "--tiles", "14", "--grow", "--limit"], ["achievements", "--nearest"],
      ["stats", "--by", "year", "--top"], ["places", "--top"], ["days", "--top"],
    ])
  func `a list has at least one entry`(arguments: [String]) throws {
    let result = try Bench().roqua(arguments + ["0"])
    #expect(result.status == 64)
    #expect(result.err.contains("': it must be a whole number of at least 1."))
  }

  @Test(
    arguments: [
      (["--bbox", "1", "2", "3", "4", "e.gpx"], ["--bbox", "1,2,3,4", "e.gpx"]),
      (["--bbox", "-1,2", "-3.5", "4", "2024"], ["--bbox", "-1,2,-3.5,4", "2024"]),
      (["--bbox", "1,2,3,4", "e.gpx"], ["--bbox", "1,2,3,4", "e.gpx"]),
      (["--bbox", "1", "2", "e.gpx"], ["--bbox", "1,2", "e.gpx"]),
      (["--bbox=48", "7", "49", "8"], ["--bbox", "48,7,49,8"]),
      (["--bbox=-1,2,3,4", "e.gpx"], ["--bbox", "-1,2,3,4", "e.gpx"]),
      (["--bbox", "e.gpx"], ["--bbox", "e.gpx"]), (["--", "--bbox", "1", "2"], nil),
    ] as [([String], [String]?)])
  func `a box ends before a file`(arguments: [String], joined: [String]?) {
    #expect(BoxArgument.joined(arguments) == joined ?? arguments)
  }

  @Test func `a box may have commas or blanks in every command`() throws {
    let bench = try Bench()
    try bench.importSamples()
    let boxes = [["48,7,49,8"], ["48", "7", "49", "8"], ["48, 7, 49, 8"]]
    for box in boxes {
      #expect(try bench.roqua(["within"] + box).out.contains(" in the box\n"), "\(box)")
      #expect(try bench.roqua(["coverage", "--bbox"] + box).status == 0, "\(box)")
      let file = "\(box.count) \(box[0].count).gpx"
      #expect(try bench.roqua(["export", "--bbox"] + box + [file]).status == 0, "\(box)")
    }
    let three = try bench.roqua("within", "48,7,49")
    #expect(three.err.hasPrefix("Error: A box takes 4 numbers in degrees:"))
  }

  @Test(
    arguments: [
      ["near", "48", "7", "--radius", "2", "km"],
      ["zone", "add", "48", "7", "--radius", "2", "km"],
      ["forget", "--near", "48", "7", "--radius", "2", "km"],
    ])
  func `a blank between a number and its unit is named`(arguments: [String]) throws {
    let result = try Bench().roqua(arguments)
    #expect(result.status == 64)
    #expect(result.err.hasPrefix("Error: Write a distance as one word, such as 2km."))
  }

  @Test(
    arguments: [
      (["near", "1", "1", "--radius", "300000km"], "it must be between 0 m and 40,100 km."),
      (["near", "1", "1", "--radius", "-5"], "it must be between 0 m and 40,100 km."),
      (["photos", ".", "--max-uncertainty", "25000mi"], "it must be between 0 m and 40,100 km."),
      (["live", "-", "--interval", "-1"], "it must be a number of seconds between 0 and 86,400."),
      (["live", "-", "--interval", "1e9"], "it must be a number of seconds between 0 and 86,400."),
      (["map", "a.png", "--zoom", "99"], "it must be a zoom from 0 to 18, or two of them"),
      (["map", "a.png", "--size", "9x9"], "a width and a height of 64 to 16,384 pixels"),
      (["sync", "x", "--watch", "--every", "0s"], "it must be a time of 1 s to 31 days"),
      (["backup", "x", "--if-older-than", "0d"], "it must be 1 to 10,000 hours, days or weeks"),
      (["photos", ".", "--offset", "99999"], "it must be a time of at most two years"),
      (["settings", "maximumSpeedMetersPerSecond", "0"], " between 1 and 1000000"),
      (["serve", "--listen", "127.0.0.1:99999"], "an address and a port from 0 to 65535, such as"),
      (["bench", "--regions", "0"], "it must be a number from 1 to 1000M"),
      (["settings", "flightsExplore", "true"], "Error: flightsExplore must be 0 or 1.\n"),
      (
        ["settings", "percentageDecimals", "13"],
        "Error: percentageDecimals must be a whole number between 0 and 12.\n"
      ),
      (["rebuild", "--exploration-radius", "1m"], " meters between 10 and 10000, or a length"),
      (["zone", "add", "1", "1", "--radius", "101km"], "1 m to 100 km"),
    ])
  func `a number that is out of range is refused with the range`(
    arguments: [String], range: String
  ) throws {
    let result = try Bench().roqua(arguments)
    #expect(result.status == 64 && result.err.contains(range), "\(result.err)")
  }

  @Test func `a time of a setting may have a unit in rebuild, too`() throws {
    let bench = try Bench()
    try bench.importSamples()
    #expect(try bench.roqua("rebuild", "--visit-gap", "2h").status == 0)
    #expect(try bench.json("settings", "visitGapMinutes").visitGapMinutes.int == 120)
    let wrong = try bench.roqua("rebuild", "--visit-gap", "soon")
    #expect(wrong.status == 64)
    #expect(wrong.err.contains("': it must be a number of minutes between 0 and 525600, or a"))
  }

  @Test func `an option before a command is sent behind it`() throws {
    let bench = try Bench()
    let json = try bench.roqua("--json", "stats")
    #expect(json.status == 64)
    #expect(json.err == "Error: --json goes after the command, as in roqua stats --json.\n")
    let store = try bench.roqua("--store", "x", "stats")
    #expect(store.status == 64)
    #expect(store.err == "Error: --store goes after the command, as in roqua stats --store PATH.\n")
    let unknown = try bench.roqua("--json", "imprt")
    #expect(unknown.err.hasPrefix("Error: There is no command \"imprt\"."))
    #expect(try bench.roqua("--json").status == 0)
  }

  @Test(
    arguments: [
      ["lock", "--passphrase-file"], ["serve", "--listen"], ["sync", "--json"],
    ])
  func `help names the options of the default subcommand`(arguments: [String]) throws {
    let bench = try Bench()
    for help in [["help", arguments[0]], [arguments[0], "--help"]] {
      let text = try bench.roqua(help).out
      #expect(text.contains("\n  \(arguments[1])"), "\(help)")
      #expect(text.contains("\n       roqua \(arguments[0]) <subcommand>\n"), "\(help)")
    }
  }

  @Test(
    arguments: [
      ["import", "no.gpx"], ["coverage", "--import", "no.gpx"], ["adopt", "no.gpx"],
      ["adopt", "--grid-hashes", "no.gpx"], ["live", "no.gpx"], ["where", "--csv", "no.gpx"],
    ])
  func `a missing file is an error in the same words`(arguments: [String]) throws {
    let bench = try Bench()
    let result = try bench.roqua(arguments)
    #expect(result.status == 1 && result.out.isEmpty || arguments[0] == "import")
    #expect(result.err == "roqua: no.gpx: There is no such file or folder.\n")
    #expect(!bench.hasStore)
  }

  @Test(arguments: ["x", "http://x", "mysql://x/y"])
  func `an address that is not of PostgreSQL is wrong usage`(address: String) throws {
    for command in ["push", "pull"] {
      let result = try Bench().roqua(command, address)
      #expect(result.status == 64)
      #expect(
        result.err.hasPrefix(
          "Error: The address must begin with postgres://, as in postgres://USER@HOST/NAME."))
    }
  }
}
