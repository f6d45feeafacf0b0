import TestSupport
import Testing

/// Conventions that every command line tool should follow.
@Suite struct UsageTests {
  private static let verbs = [
    "import", "near", "within", "where", "stats", "settings", "sources", "forget", "rebuild",
    "check",
    "backup",
  ]

  @Test func `help goes to standard output with exit status 0`() throws {
    let bench = try Bench()
    for arguments in [["--help"], ["-h"], ["help"]] {
      let result = try bench.roqua(arguments)
      #expect(result.status == 0, "\(arguments)")
      #expect(result.err == "")
      for verb in Self.verbs { #expect(result.out.contains(verb)) }
      #expect(result.out.contains("64"), "help lists the exit statuses")
    }
    for verb in Self.verbs {
      let result = try bench.roqua(verb, "--help")
      #expect(result.status == 0)
      #expect(result.err == "")
      #expect(result.out.contains("USAGE: roqua \(verb)"))
      #expect(result.out.contains("--json"))
      #expect(try bench.roqua("help", verb).out == result.out)
    }
    #expect(!bench.hasStore)
  }

  @Test(arguments: [["backup"], ["restore"], ["export", "out", "--format", "parquet-dataset"]])
  func `arguments that a command refuses once it runs get its own usage`(
    arguments: [String]
  ) throws {
    let bench = try Bench()
    #expect(try bench.roqua("import", PackageFolder.samples).status == 0)
    let result = try bench.roqua(arguments)
    #expect(result.status == 64, "\(result)")
    #expect(result.err.contains("Usage: roqua \(arguments[0])"), "\(result.err)")
    #expect(result.err.contains("See 'roqua \(arguments[0]) --help'"), "\(result.err)")
  }

  @Test func `the version is three numbers`() throws {
    let bench = try Bench()
    let result = try bench.roqua("--version")
    #expect(result.status == 0)
    #expect(result.err == "")
    let parts = result.out.dropLast().split(separator: ".")
    #expect(parts.count == 3)
    #expect(parts.allSatisfy { Int($0) != nil })
  }

  @Test func `wrong usage is reported on standard error with exit status 64`() throws {
    let bench = try Bench()
    let runs =
      [
        ["--nonsense"], ["nonsense"], ["import"], ["-x"], ["import", "--store"], ["backup"],
        ["forget"],
      ]
      + Self.verbs.map { [$0, "--nonsense"] }
    for arguments in runs {
      let result = try bench.roqua(arguments)
      #expect(result.status == 64, "\(arguments)")
      #expect(result.out == "", "\(arguments)")
      #expect(result.err.hasPrefix("Error: "), "\(arguments)")
    }
    #expect(!bench.hasStore)
  }
}
