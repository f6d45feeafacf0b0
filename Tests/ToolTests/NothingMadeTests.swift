import Foundation
import TestSupport
import Testing

/// Queries, help and failures create nothing: no store, no folder for one, no temporary file.
@Suite struct NothingMadeTests {
  private let bench: Bench
  /// The environment of a user who has never run the tool.
  private let environment: [String: String]

  init() throws {
    bench = try Bench()
    try FileManager.default.createDirectory(
      atPath: bench.folder.file("temporary"), withIntermediateDirectories: true)
    environment = ["ROQUA_STORE": "", "TMPDIR": bench.folder.file("temporary")]
  }

  /// Paths of all the user's files and folders.
  private func everything() throws -> Set<String> {
    Set(try FileManager.default.subpathsOfDirectory(atPath: bench.folder.path))
  }

  @Test func `help, completion scripts and wrong usage of every command create no file or folder`()
    throws
  {
    var runs = [
      [], ["--help"], ["--version"], ["help"], ["nonsense"], ["--experimental-dump-help"],
    ]
    runs += ["bash", "zsh", "fish"].map { ["--generate-completion-script", $0] }
    for command in try EveryCommand.names(bench) {
      runs += [
        [command, "--help"], [command, "-h"], ["help", command], [command, "--nonsense"],
        [command, "--store"], [command, "--help", "--store", "new/store.sqlite"],
      ]
    }
    let before = try everything()
    for arguments in runs {
      let result = try bench.roqua(arguments, environment: environment)
      #expect(!result.wasKilled, "\(arguments): \(result.err)")
      #expect(try everything() == before, "\(arguments)")
    }
  }

  @Test func `without a store, a failed or read-only command creates no file or folder`()
    throws
  {
    let every = EveryCommand(bench: bench, name: "name")
    try every.writeFiles()
    let before = try everything()
    var failures = 0
    for run in try every.runs() {
      let result = try bench.roqua(run.arguments, input: run.input, environment: environment)
      let made = try everything().subtracting(before)
      let isDone = run.isChange && (result.status == 0 || result.status == 2)
      if !isDone { #expect(made.isEmpty, "\(run.arguments) with status \(result.status)") }
      failures += result.status == 1 ? 1 : 0
      // The next command must find no store again. The longest paths are the deepest.
      for path in made.sorted(by: >) {
        try FileManager.default.removeItem(atPath: bench.folder.file(path))
      }
    }
    #expect(failures > 30, "most commands need a store, and there is none")
  }
}
