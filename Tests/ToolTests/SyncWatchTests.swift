import Foundation
import Geodesy
import TestSupport
import Testing

/// `roqua sync --watch`. When it syncs is tested in `SyncScheduleTests`.
@Suite struct SyncWatchTests {
  private let bench: Bench

  init() throws {
    bench = try Bench()
    try bench.folder.write(
      TrackText.gpx(from: Coordinate(48.58, 7.75), count: 9), to: "walk.gpx")
    try bench.folder.write(
      TrackText.gpx(from: Coordinate(41.01, 28.97), count: 7), to: "other.gpx")
  }

  private func makeFolder() throws {
    try FileManager.default.createDirectory(
      atPath: bench.folder.file("shared"), withIntermediateDirectories: true)
  }

  private func roqua(_ store: String, _ arguments: String...) throws -> RoquaResult {
    let result = try bench.roqua(arguments + ["--store", store + ".sqlite"])
    #expect(result.status == 0, "\(arguments): \(result.err)")
    return result
  }

  private func watch(_ store: String, _ arguments: String...) throws -> RunningRoqua {
    try bench.process(
      ["sync", "shared", "--watch"] + arguments + ["--store", store + ".sqlite"]
    ).start()
  }

  /// Waits until the standard output has a text so many times.
  private func wait(
    for text: String, count: Int = 1, in running: RunningRoqua,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let end = Date(timeIntervalSinceNow: 120)
    var output = ""
    while Date() < end {
      output = try running.partialOutput()
      if output.components(separatedBy: text).count > count { return }
      usleep(50_000)
    }
    running.kill()
    Issue.record("no \(count) of \"\(text)\" in \(output)", sourceLocation: sourceLocation)
  }

  private func end(_ running: RunningRoqua, by signal: Int32) throws -> RoquaResult {
    running.send(signal)
    #expect(running.wait(seconds: 60), "it does not end")
    let result = try running.result()
    #expect(result.status == 0 && !result.wasKilled, "\(result.err)")
    return result
  }

  @Test func `changes of other processes and devices are synced until SIGTERM`() throws {
    try makeFolder()
    _ = try roqua("a", "import", "walk.gpx")
    let running = try watch("a", "--name", "laptop")
    defer { running.kill() }
    try wait(for: "Sent 1 file.", in: running)
    _ = try roqua("a", "import", "other.gpx")
    try wait(for: "Sent 1 file.", count: 2, in: running)
    let sources = bench.folder.file("shared/sources")
    #expect(try FileManager.default.contentsOfDirectory(atPath: sources).count == 2)
    _ = try roqua("a", "zone", "add", "10", "20", "--radius", "1km")
    try wait(for: "Sent changes.", in: running)
    // Another device, which the first one adds while it watches.
    let refused = try bench.roqua("sync", "shared", "--store", "b.sqlite")
    let key = try #require(refused.err.split(separator: " ").first { $0.hasPrefix("age1") })
    _ = try roqua("a", "sync", "add", key.filter { $0 != ";" }, "--name", "phone")
    _ = try roqua("b", "sync", "shared")
    _ = try roqua("b", "forget", "walk.gpx")
    _ = try roqua("b", "sync")
    try wait(for: "Took from other devices: 1 forgotten source", in: running)
    let result = try end(running, by: SIGTERM)
    #expect(result.err == "")
    // What was sent or taken has a line with the local time; the rest has none.
    let lines = result.out.split(separator: "\n").filter { !$0.hasPrefix(" ") }.map(String.init)
    #expect(lines.first == "Watching shared. Ctrl-C ends it.")
    let timed = lines.filter { $0.contains("Sent") || $0.contains("Took") }
    #expect(timed.allSatisfy { $0.contains(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d  [ST]/) }, "\(timed)")
    #expect(timed.count == 4, "\(result.out)")
  }

  @Test func `a missing folder is reported once, and synced when it is there`() throws {
    _ = try roqua("a", "import", "walk.gpx")
    let running = try watch("a", "--json", "--every", "1s")
    defer { running.kill() }
    try wait(for: #""error":"#, count: 3, in: running)
    try makeFolder()
    try wait(for: #""filesWritten":1"#, in: running)
    let result = try end(running, by: SIGINT)
    let reported = result.errorLines.filter { $0.contains("shared") }
    #expect(reported.count == 1, "\(result.err)")
    let documents = try result.out.split(separator: "\n").map { try JSONTree(parsing: String($0)) }
    #expect(documents.allSatisfy { $0.time.string?.hasSuffix("Z") == true })
    let synced = documents.filter { $0.error.string == nil }
    #expect(synced.first?.filesWritten.int == 1)
    #expect(synced.dropFirst().allSatisfy { $0.filesWritten.int == 0 })
  }

  @Test func `an empty folder in place of the one that was watched is not filled`() throws {
    try makeFolder()
    _ = try roqua("a", "import", "walk.gpx")
    let running = try watch("a", "--json", "--every", "1s")
    defer { running.kill() }
    try wait(for: #""filesWritten":1"#, in: running)
    let (folder, away) = (bench.folder.file("shared"), bench.folder.file("away"))
    try FileManager.default.moveItem(atPath: folder, toPath: away)
    try makeFolder()
    _ = try roqua("a", "import", "other.gpx")
    try wait(for: "perhaps its disk is not connected", in: running)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
    try FileManager.default.removeItem(atPath: folder)
    try FileManager.default.moveItem(atPath: away, toPath: folder)
    try wait(for: #""filesWritten":1"#, count: 2, in: running)
    _ = try end(running, by: SIGTERM)
  }

  @Test func `a device that is no member waits until it is added`() throws {
    try makeFolder()
    _ = try roqua("a", "import", "walk.gpx")
    _ = try roqua("a", "sync", "shared")
    let running = try watch("b", "--json")
    defer { running.kill() }
    try wait(for: "roqua sync add age1", in: running)
    let words = try running.partialOutput().split(separator: " ")
    let key = try #require(words.first { $0.hasPrefix("age1") }).filter {
      $0.isLetter || $0.isNumber
    }
    _ = try roqua("a", "sync", "add", key, "--name", "phone")
    try wait(for: #""fixes":9"#, in: running)
    _ = try end(running, by: SIGTERM)
    #expect(try bench.json("stats", "--store", "b.sqlite").keptFixes.int == 9)
  }

  @Test func `wrong usage is refused`() throws {
    for (arguments, reason) in [
      (["--every", "1min"], "--every needs --watch"),
      (["--watch", "--every", "0s"], "'0s' is invalid"),
      (["--watch", "--every", "soon"], "'soon' is invalid"),
      (["--watch", "--every", "1min", "--every", "2min"], "only once"),
      (["--watch", "--evry", "1min"], "no option --evry. Did you mean --every?"),
    ] {
      let result = try bench.roqua(["sync", "shared"] + arguments)
      #expect(result.status == 64 && result.err.contains(reason), "\(result.err)")
    }
    let nameless = try bench.roqua("sync", "--watch")
    #expect(nameless.status == 64 && nameless.err.contains("name the folder"))
    let key = try bench.roqua(["sync", "shared", "--watch", "--recovery-key"], input: "AGE-1\n")
    #expect(key.status == 1 && key.err.hasPrefix("roqua: "), "\(key.err)")
  }
}
