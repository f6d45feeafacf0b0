import Foundation
import Geodesy
import TestSupport
import Testing

@testable import roqua_tool

/// `roqua live` with logs and pipes. Receivers with a network are in scripts/test-live.
@Suite struct LiveTests {
  private let bench: Bench
  private let start = Coordinate(48.58, 7.75)

  init() throws { bench = try Bench() }

  /// The events on standard output.
  private func events(_ output: String) throws -> [JSONTree] {
    try output.split(separator: "\n").map { try JSONTree(parsing: String($0)) }
  }

  private func names(_ events: [JSONTree]) -> [String] { events.compactMap(\.event.string) }

  @Test func `a log on standard input gives events, and a recording in the store`() throws {
    let log = TrackText.nmea(from: start, count: 5)
    let result = try bench.roqua("live", "-", "--name", "Walk", "--json", input: log)
    #expect(result.status == 0 && result.err == "", "\(result.err)")
    let events = try events(result.out)
    #expect(names(events).first == "started" && names(events).last == "finished")
    let fixes = events.filter { $0.event.string == "fix" }
    #expect(fixes.count == 5 && fixes.allSatisfy { $0.kept == .bool(true) })
    #expect(fixes[1].time.string == "2024-05-01T10:00:10Z")
    #expect(fixes[1].latitude.double == 48.581 && fixes[1].accuracyMeters.double == 5)
    #expect(names(events).contains("place") && names(events).contains("explored"))
    let added = events.compactMap { $0.regionsAdded.int }.reduce(0, +)
    #expect(added > 0)
    #expect(try bench.json("stats").visitedRegions.int == added)
    let source = try #require(try bench.json("sources").sources.elements.first)
    #expect(source.format.string == "live" && source.path.string == "Walk")
    #expect(source.points.int == 5 && source.kept.int == 5)
    #expect(source.regions == .null && source.cells == .null)
  }

  @Test func `achievements that come closer and are unlocked are events`() throws {
    let log = try String(
      contentsOfFile: PackageFolder.sample("2022-11-05-tokyo-walk.nmea"), encoding: .utf8)
    let events = try events(try bench.roqua("live", "-", "--interval", "0", input: log).out)
    let unlocked = events.filter { $0.event.string == "unlocked" }
    let country = try #require(unlocked.first { $0.achievement.string == "countries" })
    #expect(country.names == ["event", "achievement", "tier", "time"] && country.tier.double == 1)
    let progressed = events.filter { $0.event.string == "progressed" }
    #expect(
      progressed.allSatisfy {
        $0.names == ["event", "achievement", "value", "nextTier", "share"]
          && (0..<1).contains($0.share.double ?? 1)
      })
    let distance = progressed.filter { $0.achievement.string == "distance" }
    let shares = distance.compactMap { $0.share.double.map { Int(100 * $0 + 1e-9) } }
    // What arrives together is stored together, and reports one step.
    #expect(!shares.isEmpty && shares == Set(shares).sorted())
  }

  @Test func `the interval drops fixes that come too soon`() throws {
    let log = TrackText.nmea(from: start, count: 20, secondsApart: 1)
    for (interval, kept) in [("0", 20), ("3", 7), ("100", 1)] {
      let result = try bench.roqua(
        "live", "-", "--interval", interval, "--store", "\(interval).sqlite", input: log)
      let finished = try #require(try events(result.out).last)
      #expect(finished.kept.int == kept && finished.points.int == 20, "\(interval)")
    }
  }

  @Test(arguments: ["2022-11-05-tokyo-walk.nmea", "2025-05-17-iceland-drive.nmea"])
  func `a log live and imported give the same regions, visits and coverage`(name: String) throws {
    let log = try String(contentsOfFile: PackageFolder.sample(name), encoding: .utf8)
    try expectSame(log, keeping: 60)
  }

  @Test(arguments: Seeds.sample(8))
  func `a generated log live and imported give the same`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var (log, place, second) = ("", start, 0)
    for _ in 0..<400 {
      // Stays, walks, gaps that end a segment, repeated and missing epochs.
      if Int.random(in: 0..<40, using: &random) == 0 {
        second += Int.random(in: 200...3_000, using: &random)
      }
      // At most 30 m/s: a recording recognizes flights by other rules than an import.
      second += Int.random(in: 4...20, using: &random)
      let step = Double.random(in: -0.000_6...0.000_6, using: &random)
      place = Coordinate(
        place.latitudeDegrees + step,
        place.longitudeDegrees + Double.random(in: -0.001...0.001, using: &random))
      guard second < 50_000 else { break }
      log += TrackText.nmeaEpoch(second, from: place, stepDegrees: 0, secondsApart: 1)
      if Int.random(in: 0..<30, using: &random) == 0 { log += "$GPGGA,1,2*00\r\n\u{1}x\r\n" }
    }
    try expectSame(log, keeping: 50)
  }

  private func expectSame(_ log: String, keeping least: Int) throws {
    // The same name as the file's, which exported fixes have.
    let live = try bench.roqua(
      "live", "-", "--name", "log.nmea", "--interval", "0", "--store", "live.db", input: log)
    #expect(live.status == 0 && live.err == "", "\(live.err)")
    try bench.folder.write(log, to: "log.nmea")
    try #require(try bench.roqua("import", "log.nmea", "--store", "file.db").status == 0)
    for command in [
      ["within", "-90", "-180", "90", "180", "--json"],
      ["stats", "--by", "country", "--by", "day", "--json"],
      ["sql", "SELECT * FROM visits ORDER BY 1, 2", "--csv"],
      ["export", "-", "--format", "csv", "--only", "fixes"],
      ["coverage", "--export", "-"],
    ] {
      let answers = try ["live.db", "file.db"].map {
        try bench.roqua(command + ["--store", $0]).standardOutput
      }
      #expect(answers[0] == answers[1], "\(command)")
      #expect(!answers[0].isEmpty)
    }
    let kept = try #require(try events(live.out).last).kept.int ?? 0
    #expect(kept >= least)
  }

  @Test func `a killed recording has every fix that it reported as kept`() throws {
    for round in 0..<3 {
      let store = bench.folder.file("kill-\(round).db")
      let feeder = try PipeFeeder(
        Array(TrackText.nmea(from: start, count: 3).utf8),
        repeating: Array(TrackText.nmea(from: Coordinate(10, 20), count: 3_000).utf8))
      var process = bench.process(["live", "-", "--interval", "0", "--store", store])
      process.input = feeder.output
      let running = try process.start()
      while try !running.partialOutput().contains(#""kept":true"#) {
        try #require(!running.wait(seconds: 0.02))
      }
      _ = running.wait(seconds: 0.1 * Double(round))
      running.kill()
      #expect(running.wait(seconds: 30))
      let result = try running.result()
      _ = feeder.bytesWritten()
      let reported = result.out.split(separator: "\n").count { $0.contains(#""kept":true"#) }
      let stored = try bench.json("stats", "--store", store).keptFixes.int ?? 0
      #expect(result.wasKilled && reported > 0 && stored >= reported)
      #expect(try bench.json("check", "--store", store).sound == .bool(true))
    }
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func `a signal ends the recording with its report and status 0`(number: Int32) throws {
    // A named pipe that stays open: a receiver that is silent now.
    let path = bench.folder.file("device")
    try #require(mkfifo(path, 0o600) == 0)
    let running = try bench.process(["live", path, "--name", "Fifo"]).start()
    let writer = open(path, O_WRONLY)
    defer { close(writer) }
    let log = Array(TrackText.nmea(from: start, count: 3).utf8)
    try #require(write(writer, log, log.count) == log.count)
    // The last epoch is complete after a silence.
    while try running.partialOutput().components(separatedBy: #""kept":true"#).count < 4 {
      try #require(!running.wait(seconds: 0.02))
    }
    // `timeout` sends it twice.
    running.send(number)
    running.send(number)
    #expect(running.wait(seconds: 30))
    let result = try running.result()
    #expect(result.status == 0 && !result.wasKilled && result.err == "")
    #expect(try events(result.out).last?.kept.int == 3)
    let report = try bench.column("SELECT json_extract(report, '$.status') FROM sources")
    #expect(report == ["recorded"])
  }

  @Test func `what is no receiver is refused, and leaves no store behind`() throws {
    for (arguments, status, message) in [
      (["live", "nowhere"], 1, "nowhere: There is no such file or folder."),
      (["live", "."], 1, ".: it is a folder"),
      (["live", "http://host"], 64, "http:// is not supported"),
      (["live", "tcp://host"], 64, "the port is missing"),
      (["live", "-", "--interval", "-1"], 64, "The value '-1' is invalid for '--interval"),
      (["live", "-", "--baud", "9600"], 64, "--baud needs a serial device."),
      (["live", "/dev/null", "--baud", "9601"], 64, "--baud takes one of 1200,"),
      (["live", "-", "--nmea"], 64, "--nmea needs a receiver gpsd://"),
      (["live", "-", "--json", "--quiet"], 64, "--json cannot be combined with --quiet."),
      (["live", "-", "--baud", "4800", "--baud", "9600"], 64, "--baud can be given only once."),
    ] as [([String], Int32, String)] {
      let result = try bench.roqua(arguments)
      #expect(result.status == status && result.err.contains(message), "\(result.err)")
      #expect(!bench.hasStore)
    }
    let gpx = try bench.roqua("live", "-", input: TrackText.gpx(from: start, count: 3))
    #expect(gpx.status == 1 && gpx.err.contains("no fix in NMEA sentences"), "\(gpx.err)")
    #expect(!bench.hasStore)
  }

  @Test func `a quiet recording prints nothing`() throws {
    let log = TrackText.nmea(from: start, count: 3)
    let result = try bench.roqua("live", "-", "--quiet", input: log)
    #expect(result.status == 0 && result.out == "" && result.err == "")
    #expect(try bench.json("stats").keptFixes.int == 3)
  }

  @Test func `a reader that goes away ends the recording`() throws {
    let path = try bench.folder.write(
      TrackText.nmea(from: start, count: 3_000), to: "long.nmea")
    let script =
      #""$1" live "$2" --interval 0 | head -n 2 >/dev/null; echo "${PIPESTATUS[0]}""#
    var process = bench.process([path])
    process.wrapper = ["/bin/bash", "-c", script, "bash"]
    let result = try process.run()
    #expect(result.out == "141\n" || result.out == "0\n", "\(result.out)\(result.err)")
    let report = try bench.column("SELECT json_extract(report, '$.status') FROM sources")
    #expect(report == ["recorded"])
  }

  @Test func `events reveal nothing of a fix in a privacy zone`() throws {
    let log = TrackText.nmea(from: start, count: 5)
    try #require(
      try bench.roqua("import", "-", input: TrackText.gpx(from: Coordinate(1, 1), count: 2)).status
        == 0)
    try #require(try bench.roqua("zone", "add", "48.58", "7.75", "--radius", "250m").status == 0)
    let result = try bench.roqua("live", "-", input: log)
    let fixes = try events(result.out).filter { $0.event.string == "fix" }
    let hidden = fixes.filter { $0.kept == .bool(false) }
    #expect(hidden.count == 2 && fixes.count == 5)
    #expect(!result.out.contains("48.58,") && !result.out.contains("48.581,"))
    #expect(result.out.contains("privacyZone"))
  }
}
