import Foundation
import Geodesy
import TestSupport
import Testing

/// Which files `roqua import` reads, and which it ignores.
@Suite struct ImportTests {
  private let start = Coordinate(48.5, 7.9)

  @Test func `a folder is read recursively, and formats are detected by content`() throws {
    let bench = try Bench()
    try bench.folder.write(TrackText.gpx(from: start, count: 3), to: "tracks/one.gpx")
    try bench.folder.write(TrackText.gpx(from: start, count: 4), to: "tracks/deep/er/two.gpx")
    try bench.folder.write(TrackText.gpx(from: start, count: 5), to: "tracks/deep/no-ending")
    let nmea = try bytes(of: PackageFolder.sample("2025-05-17-iceland-drive.nmea"))
    try bench.folder.write(Array(nmea), to: "tracks/deep/looks-like.gpx")
    try bench.folder.write("{\"a\": 1}", to: "tracks/settings.json")
    try bench.folder.write("words", to: "tracks/deep/readme.txt")
    let document = try bench.json("import", "tracks")
    #expect(
      document.files.elements.map(\.path) == [
        .string("tracks/deep/er/two.gpx"), .string("tracks/deep/looks-like.gpx"),
        .string("tracks/deep/no-ending"), .string("tracks/one.gpx"),
      ])
    #expect(document.files.elements.map(\.points.int) == [4, 506, 5, 3])
    #expect(document.files[1].format == .string("nmea"))
    #expect(document.totals.ignored.int == 2)
  }

  @Test func `a folder can be named with a trailing slash or as the current folder`() throws {
    let bench = try Bench()
    try bench.folder.write(TrackText.gpx(from: start, count: 3), to: "tracks/one.gpx")
    let withSlash = try bench.json("import", "--dry-run", "tracks/")
    #expect(withSlash.files[0].path == .string("tracks/one.gpx"))
    let present = try bench.json("import", "--dry-run", ".")
    #expect(present.files[0].path == .string("./tracks/one.gpx"))
  }

  @Test func `the text report shows how many points were kept and dropped`() throws {
    let bench = try Bench()
    let result = try bench.roqua(
      "import", PackageFolder.sample("2023-06-10-istanbul-walk.gpx"))
    #expect(result.status == 0)
    #expect(result.err == "")
    #expect(result.out.contains("1 file imported: 50 of 891 points kept, 2023-06-10"))
    #expect(result.out.contains("1 at exactly 0° N 0° E"))
    #expect(result.out.contains("3 less accurate than 50 m"))
    #expect(result.out.contains("newly explored"))
  }

  @Test func `columns of a table can be stated`() throws {
    let bench = try Bench()
    try bench.folder.write(
      "1714557600;x;48,5;7,9\n1714557660;x;48,6;7,9\n", to: "tables/trip.txt")
    try bench.folder.write("words, and more words\n", to: "tables/readme.txt")
    try bench.folder.write(TrackText.gpx(from: start, count: 3), to: "tables/one.gpx")
    let columns = "latitude=3,longitude=4,time=1"
    let document = try bench.json("import", "tables", "--columns", columns)
    #expect(
      document.files.elements.map(\.path) == [
        .string("tables/one.gpx"), .string("tables/trip.txt"),
      ])
    #expect(document.files[1].points.int == 2)
    #expect(document.files[1].firstTime == .string("2024-05-01T10:00:00Z"))
    #expect(document.totals.ignored.int == 1)
    for wrong in [
      "latitude", "latitude=", "breadth=1", "time=0", "time=513", "time=1,time=2",
      "latitude=1,longitude=1",
    ] {
      let result = try bench.roqua("import", "tables", "--columns", wrong)
      #expect(result.status == 64)
      #expect(result.err.contains("--columns"))
    }
  }

  @Test func `a text without positions in the stated columns is not stored`() throws {
    let bench = try Bench()
    try bench.folder.write("Dear diary, today\nI went, nowhere\n", to: "texts/diary.txt")
    try bench.folder.write("a,b,c\n1,48.5,7.9\n", to: "texts/table.csv")
    let wrong = try bench.json(
      "import", "texts/diary.txt", "--columns", "latitude=1,longitude=2", status: 1)
    #expect(wrong.files[0].error.code == .string("unknownFormat"))
    let table = try bench.roqua("import", "texts/table.csv", "--columns", "latitude=4,longitude=2")
    #expect(table.status == 1)
    #expect(table.err.contains("Its first row has only 3 columns."))
    #expect(!table.err.contains("--columns"))
    let plain = try bench.roqua("import", "texts/table.csv")
    #expect(plain.err.contains("If it is a table, use --columns."))
    let folder = try bench.json(
      "import", "texts", "--columns", "latitude=2,longitude=3", "--include", "waypoints")
    #expect(folder.files.elements.map(\.path) == [.string("texts/table.csv")])
    #expect(folder.totals.kept.int == 1)
  }

  @Test func `standard input is a file named -`() throws {
    let bench = try Bench()
    let text = TrackText.gpx(from: start, count: 7)
    let first = try bench.json("import", "-", input: text)
    #expect(first.files[0].path == .string("-"))
    #expect(first.files[0].status == .string("imported"))
    #expect(first.files[0].kept.int == 7)
    // The same bytes from a file are the same source.
    try bench.folder.write(text, to: "same.gpx")
    let second = try bench.json("import", "same.gpx", "-", input: text)
    #expect(second.files.elements.map(\.status) == [.string("duplicate"), .string("duplicate")])
    let empty = try bench.json("import", "-", status: 1)
    #expect(empty.files[0].error.code == .string("empty"))
  }

  @Test func `standard input is read from the current offset of its file`() throws {
    let bench = try Bench()
    // A source with exactly as many bytes as are left to read, so that the bytes are compared
    // before they are decoded.
    let text = TrackText.gpx(from: start, count: 7)
    let other = TrackText.gpx(from: Coordinate(48.6, 7.9), count: 7)
    #expect(text.utf8.count == other.utf8.count)
    try bench.folder.write(other, to: "other.gpx")
    #expect(try bench.json("import", "other.gpx").files[0].kept.int == 7)
    let head = TrackText.gpx(from: Coordinate(10, 10), count: 20)
    let path = try bench.folder.write(head + text, to: "both")
    for expected in ["imported", "duplicate"] {
      var process = bench.process(["import", "-", "--json"])
      let input = try #require(FileHandle(forReadingAtPath: path))
      try input.seek(toOffset: UInt64(head.utf8.count))
      process.input = input
      let result = try process.run()
      let file = try JSONTree(parsing: result.out).files[0]
      #expect(file.status == .string(expected), "\(result.err)")
      #expect(file.bytes.int == text.utf8.count)
      if expected == "imported" { #expect(file.points.int == 7) }
    }
  }

  @Test func `a pipe is read like a file`() throws {
    let bench = try Bench()
    let pipe = bench.folder.file("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    let text = TrackText.gpx(from: start, count: 7)
    let running = try bench.process(["import", "pipe", "--json"]).start()
    // Opening the pipe waits for the tool to open the other end. With O_RDWR neither opening nor
    // writing blocks if it never does.
    let descriptor = open(pipe, O_RDWR)
    #expect(descriptor >= 0)
    try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).write(
      contentsOf: Data(text.utf8))
    // The bytes fit into the pipe; once some of them are read, the tool has its end open.
    var isRead = false
    for _ in 0..<1_000 where !isRead {
      var waiting: CInt = 0
      _ = ioctl(descriptor, UInt(FIONREAD), &waiting)
      isRead = waiting == 0
      if !isRead { usleep(10_000) }
    }
    close(descriptor)
    #expect(running.wait(seconds: 60))
    let file = try JSONTree(parsing: try running.result().out).files[0]
    #expect(file.status == .string("imported"))
    #expect(file.kept.int == 7)
  }

  @Test func `importing the same file twice adds nothing`() throws {
    let bench = try Bench()
    let first = try bench.json("import", PackageFolder.samples)
    let statistics = try bench.json("stats", "--by", "country", "--by", "day")
    let regions = try bench.json("within", "-90", "-180", "90", "180")
    let copy = try bytes(of: PackageFolder.sample("2023-08-02-munich-ride.gpx"))
    try bench.folder.write(Array(copy), to: "other name.gpx")
    let again = try bench.json("import", PackageFolder.samples, "other name.gpx")
    #expect(Set(again.files.elements.map(\.status)) == [.string("duplicate")])
    #expect(
      again.files.elements.dropLast().map(\.sha256) == first.files.elements.map(\.sha256))
    #expect(again.totals.duplicates.int == first.files.elements.count + 1)
    for name in ["imported", "points", "kept", "regionsAdded", "regionsRevisited", "cellsAdded"] {
      #expect(again.totals[name].int == 0, "\(name)")
    }
    #expect(try bench.json("stats", "--by", "country", "--by", "day") == statistics)
    #expect(try bench.json("within", "-90", "-180", "90", "180") == regions)
    let words = try bench.roqua("import", "other name.gpx")
    #expect(words.status == 0)
    #expect(words.out == "1 file already imported; nothing changed\n")
  }

  @Test func `the same file given twice in one run is stored once`() throws {
    let bench = try Bench()
    let text = TrackText.gpx(from: start, count: 7)
    for name in ["a.gpx", "b.gpx", "c.gpx"] { try bench.folder.write(text, to: name) }
    let statuses = ["imported", "duplicate", "duplicate"].map { JSONTree.string($0) }
    let dry = try bench.json("import", "--dry-run", "a.gpx", "b.gpx", "c.gpx")
    #expect(dry.files.elements.map(\.status) == statuses)
    let real = try bench.json("import", "a.gpx", "b.gpx", "c.gpx")
    #expect(real.files.elements.map(\.status) == statuses)
    #expect(try bench.json("stats").sources.int == 1)
  }

  @Test func `a dry run reports the same and creates no store`() throws {
    let bench = try Bench()
    let dry = try bench.json("import", "--dry-run", PackageFolder.samples)
    #expect(!bench.hasStore)
    #expect(!FileManager.default.fileExists(atPath: bench.folder.file("home")))
    let words = try bench.roqua("import", "--dry-run", PackageFolder.samples)
    #expect(words.out.contains("would be imported"))
    #expect(!bench.hasStore)
    let real = try bench.json("import", PackageFolder.samples)
    #expect(
      dry.files.elements == real.files.elements.map { $0.without("overlaps", "overlapCount") })
  }

  @Test func `a dry run changes no existing store`() throws {
    let bench = try Bench()
    try bench.importSamples()
    let before = try bytes(of: bench.storePath)
    let dry = try bench.json("import", "--dry-run", PackageFolder.samples)
    #expect(dry.totals.duplicates.int == 2)
    #expect(dry.totals.imported.int.map { $0 > 2 } == true)
    #expect(try bytes(of: bench.storePath) == before)
  }

  @Test(arguments: [true, false])
  func `a dry run has null for what it does not compute`(hasStore: Bool) throws {
    let bench = try Bench()
    let path = try bench.folder.write(TrackText.gpx(from: start, count: 7), to: "a.gpx")
    if hasStore { try bench.importSamples() }
    let dry = try bench.json("import", "--dry-run", path)
    for name in [
      "regionsAdded", "regionsRevisited", "cellsAdded", "areaAddedSquareKilometers",
      "overlapsAreComplete",
    ] {
      #expect(dry.totals[name].isNull, "\(name)")
    }
    #expect(dry.unlocked.isNull)
    #expect(dry.totals.imported.int == 1 && dry.totals.kept.int.map { $0 > 0 } == true)
    let real = try bench.json("import", path).totals
    #expect(real.regionsAdded.int.map { $0 > 0 } == true)
    #expect(real.overlapsAreComplete == .bool(true))
  }

  @Test func `a new store is readable only by its owner`() throws {
    let bench = try Bench()
    try bench.importSamples()
    let attributes = try FileManager.default.attributesOfItem(atPath: bench.storePath)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
  }

  @Test func `the store's path comes from --store, then ROQUA_STORE, then the data folder`() throws
  {
    let bench = try Bench()
    let track = try bench.folder.write(TrackText.gpx(from: start, count: 3), to: "a.gpx")
    func made(_ path: String) -> Bool {
      FileManager.default.fileExists(atPath: bench.folder.file(path))
    }
    #expect(try bench.roqua("import", track, "--store", "mine/s.sqlite").status == 0)
    #expect(made("mine/s.sqlite") && !bench.hasStore)
    #expect(try bench.roqua("import", track, environment: ["ROQUA_STORE": ""]).status == 0)
    #if os(Linux)
      #expect(made("home/data/roqua/store.sqlite"))
      // The XDG specification says that relative paths must be ignored.
      let relative = ["ROQUA_STORE": "", "XDG_DATA_HOME": "data"]
      #expect(try bench.roqua("import", track, environment: relative).status == 0)
      #expect(made("home/.local/share/roqua/store.sqlite") && !made("data"))
    #endif
    #expect(!bench.hasStore)
    #expect(try bench.roqua("import", track).status == 0)
    #expect(bench.hasStore)
  }

  @Test func `concurrent imports into one new store wait for each other`() throws {
    let alone = try Bench()
    try alone.importSamples()
    let expected = try alone.json("stats", "--by", "month")
    for round in 1...8 {
      let bench = try Bench()
      let samples = ["2024-09-14-strasbourg-kehl.gpx", "2024-03-20-taveuni-boat.gpx"].map(
        PackageFolder.sample)
      let running = try (0..<4).map { index in
        try bench.process(["import", "--json"] + (index % 2 == 0 ? samples : samples.reversed()))
          .start()
      }
      var statuses: [JSONTree] = []
      for process in running {
        #expect(process.wait(seconds: 60))
        let result = try process.result()
        #expect(result.status == 0, "round \(round): \(result.err)")
        statuses += try JSONTree(parsing: result.out).files.elements.map(\.status)
      }
      // One process imports each track; the others find a duplicate.
      #expect(statuses.count { $0 == .string("imported") } == 2)
      #expect(statuses.count { $0 == .string("duplicate") } == 6)
      #expect(try bench.json("stats", "--by", "month") == expected)
    }
  }

  @Test func `a store that cannot grow says what is in it, and the next import does the rest`()
    throws
  {
    let bench = try Bench()
    var process = bench.process(["import", PackageFolder.samples])
    // 200 kB are less than the samples need.
    process.wrapper = ["/bin/sh", "-c", "ulimit -f 400; exec \"$0\" \"$@\""]
    let result = try process.run()
    #expect(result.status == 1)
    let before = try bench.json("sources").sources.elements.count
    // Small files are stored together: whether some are depends on the moment.
    let end = "roqua: the import ended there: \(before) file\(before == 1 ? "" : "s") imported; "
    #expect(result.errorLines.count { $0.hasPrefix(end) } == (before == 0 ? 0 : 1), "\(result.err)")
    // What is in the store by now is complete.
    #expect(try bench.json("import", PackageFolder.samples).totals.duplicates.int == before)
    #expect(try bench.roqua("check").status == 0)
  }
}
