import Foundation
import Geodesy
import TestSupport
import Testing

/// Files that `roqua import` refuses, and the exit status.
@Suite struct RefusalTests {
  private static let refused: [(name: String, text: String, code: String)] = [
    ("empty.gpx", "", "empty"),
    ("blank.nmea", " \n\t \n", "empty"),
    ("words.gpx", "Once upon a time there was a track.", "unknownFormat"),
    ("map.gpx", "[{\"class\":\"TPV\",\"lat\":1,\"lon\":2}]", "unknownFormat"),
    ("data.gpx", "{\"type\": \"FeatureCollection\"}", "unknownFormat"),
    ("picture.nmea", "\u{89}PNG\r\n\u{1A}\n", "unknownFormat"),
  ]

  @Test(arguments: Self.refused.map(\.name))
  func `a file with a track's file extension is refused with a reason`(name: String) throws {
    let entry = try #require(Self.refused.first { $0.name == name })
    let bench = try Bench()
    try bench.folder.write(entry.text, to: "tracks/" + name)
    for path in ["tracks/" + name, "tracks"] {
      let document = try bench.json("import", path, status: 1)
      let file = document.files[0]
      #expect(file.path == .string("tracks/" + name))
      #expect(file.status == .string("refused"))
      #expect(file.error.names == ["code", "line", "message"])
      #expect(file.error.code == .string(entry.code))
      #expect(file.points.int == 0)
      #expect(document.totals.refused.int == 1)
      let words = try bench.roqua("import", path)
      #expect(words.status == 1)
      #expect(words.out.isEmpty)
      #expect(
        words.errorLines == ["roqua: tracks/\(name): " + (file.error.message.string ?? "?")])
    }
    #expect(!bench.hasStore)
  }

  @Test func `some refused and some imported files give exit status 2`() throws {
    let bench = try Bench()
    try bench.folder.write(TrackText.gpx(from: Coordinate(48, 8), count: 3), to: "tracks/good.gpx")
    for entry in Self.refused { try bench.folder.write(entry.text, to: "tracks/" + entry.name) }
    let document = try bench.json("import", "tracks", "nowhere.gpx", status: 2)
    #expect(document.totals.imported.int == 1)
    #expect(document.totals.refused.int == Self.refused.count + 1)
    let again = try bench.json("import", "tracks", status: 2)
    #expect(again.totals.duplicates.int == 1)
    #expect(try bench.json("stats").keptFixes.int == 3)
  }

  @Test func `refused files in an archive are counted after the first 1,000`() throws {
    let bench = try Bench()
    let bad = (0..<2_234).map { ZipBuilder.File("\($0).gpx", Array("words".utf8)) }
    try bench.folder.write(ZipBuilder(bad).build().bytes, to: "a.zip")
    let document = try bench.json("import", "a.zip", status: 1)
    #expect(document.files.elements.count == 1_000)
    #expect(document.totals.files.int == 2_234 && document.totals.refused.int == 2_234)
    #expect(document.totals.refusedUnlisted.int == 1_234)
    let words = try bench.roqua("import", "a.zip")
    #expect(words.status == 1 && words.errorLines.count == 1_001)
    #expect(words.errorLines.last == "roqua: a.zip: 1,234 more files in it were refused")
    let good = Array(TrackText.gpx(from: Coordinate(48, 8), count: 3).utf8)
    let mixed = ZipBuilder([ZipBuilder.File("z.gpx", good)] + bad)
    try bench.folder.write(mixed.build().bytes, to: "b.zip")
    let summary = try bench.roqua("import", "b.zip")
    #expect(summary.status == 2 && summary.out.contains("\n2,234 files refused\n"))
    #expect(try bench.roqua("import", "b.zip", "--explain").status == 2)
  }

  @Test func `a missing path is reported`() throws {
    let bench = try Bench()
    try bench.folder.write("a file", to: "file.txt")
    for path in ["nowhere.gpx", "no/where", "file.txt/below.gpx", ""] {
      let document = try bench.json("import", path, status: 1)
      #expect(document.files[0].path == .string(path))
      #expect(document.files[0].error.code == .string("notFound"))
      #expect(document.files[0].sha256.isNull)
      let words = try bench.roqua("import", path)
      #expect(words.status == 1)
      #expect(words.errorLines == ["roqua: \(path): There is no such file or folder."])
    }
  }

  /// Root reads every file whatever its mode, so these are paths that even root cannot read.
  @Test func `an unreadable path is reported`() throws {
    let bench = try Bench()
    symlink("loop", bench.folder.file("loop"))
    try makeSocket(at: "socket", in: bench)
    let long = String(repeating: "x", count: 300)
    for path in ["loop", "socket", long] {
      let document = try bench.json("import", path, status: 1)
      #expect(document.files[0].error.code == .string("unreadable"), "\(path)")
      let words = try bench.roqua("import", path)
      #expect(words.errorLines.count == 1)
      #expect(words.err.hasPrefix("roqua: \(path): It cannot be read: "))
    }
  }

  @Test func `a file and a folder without read permission are reported`() throws {
    let bench = try Bench()
    let track = TrackText.gpx(from: Coordinate(48, 8), count: 3)
    let file = try bench.folder.write(track, to: "secret.gpx")
    let folder = bench.folder.file("closed")
    try bench.folder.write(track, to: "closed/inside.gpx")
    chmod(file, 0)
    chmod(folder, 0)
    defer { chmod(folder, 0o700) }
    for path in ["secret.gpx", "closed"] {
      let result = try bench.roqua("import", "--json", path)
      if getuid() == 0 {
        // Root may read everything. For root, the paths of the test above cover this case.
        #expect(result.status == 0)
      } else {
        #expect(result.status == 1)
        #expect(try JSONTree(parsing: result.out).files[0].error.code == .string("unreadable"))
        #expect(result.errorLines.count == 1)
      }
    }
  }

  @Test func `a folder that may be listed and not searched is reported`() throws {
    let bench = try Bench()
    let track = TrackText.gpx(from: Coordinate(48, 8), count: 3)
    try bench.folder.write(track, to: "in/closed/a.gpx")
    try bench.folder.write(track, to: "in/open.gpx")
    let closed = bench.folder.file("in/closed")
    for path in [bench.folder.path, bench.folder.file("in")] { chmod(path, 0o755) }
    chmod(closed, 0o644)
    defer { chmod(closed, 0o700) }
    var process = bench.process(["import", "--dry-run", "--json", "in"])
    if getuid() == 0 {
      // Root may search every folder.
      process.wrapper = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    }
    let result = try process.run()
    #expect(result.status == 2, "\(result.err)")
    let files = try JSONTree(parsing: result.out).files
    #expect(files[0].path.string == "in/closed")
    #expect(files[0].error.code == .string("unreadable"))
    #expect(files[1].status.string == "imported")
  }

  @Test func `a folder in which a path is too long is reported once`() throws {
    let bench = try Bench()
    let name = String(repeating: "x", count: 200)
    try bench.folder.write(TrackText.gpx(from: Coordinate(48, 8), count: 3), to: "in/a.gpx")
    var folder = open(bench.folder.file("in"), O_RDONLY)
    for _ in 0..<Int(PATH_MAX) / name.utf8.count + 2 {
      try #require(mkdirat(folder, name, 0o755) == 0)
      let below = openat(folder, name, O_RDONLY)
      close(folder)
      folder = below
      for file in ["a.gpx", "b.gpx"] { close(openat(folder, file, O_WRONLY | O_CREAT, 0o644)) }
    }
    close(folder)
    defer {
      let removal = try? Process.run(
        URL(fileURLWithPath: "/bin/rm"), arguments: ["-rf", bench.folder.file("in")])
      removal?.waitUntilExit()
    }
    let files = try bench.json("import", "in", status: 2).files
    #expect(files[0].path.string == "in/a.gpx" && files[0].status.string == "imported")
    let unreadable = files.elements.filter { $0.error.code == .string("unreadable") }
    #expect(unreadable.count == 1)
    #expect(unreadable.first?.path.string?.hasSuffix(name) == true)
  }

  @Test func `a folder without tracks is an error`() throws {
    let bench = try Bench()
    try bench.folder.write("words", to: "papers/a.txt")
    try bench.folder.write("words", to: "papers/b/c.txt")
    try FileManager.default.createDirectory(
      atPath: bench.folder.file("nothing"), withIntermediateDirectories: true)
    for (path, ignored) in [("papers", 2), ("nothing", 0)] {
      let document = try bench.json("import", path, status: 1)
      #expect(document.files.elements.isEmpty)
      #expect(document.totals.ignored.int == ignored)
      let words = try bench.roqua("import", path)
      #expect(words.status == 1)
      #expect(words.errorLines.count == 1)
      #expect(words.err.hasPrefix("roqua: no tracks found in \(path)"))
    }
  }

  @Test func `where photos are ignored, the command for photos is named`() throws {
    let bench = try Bench()
    let advice = "photos are not imported; roqua photos proposes positions for those that have none"
    let track = TrackText.gpx(from: Coordinate(48, 8), count: 3)
    try bench.folder.write(PhotoBytes.jpeg(time: nil), to: "all/a.JPG")
    let alone = try bench.roqua("import", "all")
    #expect(alone.status == 1)
    #expect(alone.err == "roqua: no tracks found in all (1 file of other formats); \(advice)\n")
    let named = try bench.roqua("import", "all/a.JPG")
    #expect(named.status == 1)
    #expect(named.err.hasSuffix(" roqua photos proposes positions for photos that have none.\n"))
    try bench.folder.write(track, to: "all/b.gpx")
    let some = try bench.roqua("import", "all")
    #expect(some.out.contains("1 file without tracks ignored (1 jpg)\n  \(advice)\n"))
    // A picture that is probably no photo.
    try bench.folder.write([0x89, 0x50, 0x4E, 0x47], to: "drawn/map.png")
    try bench.folder.write(track, to: "drawn/b.gpx")
    #expect(try !bench.roqua("import", "drawn").out.contains("roqua photos"))
  }

  @Test func `other files in a folder are ignored, but broken tracks are refused`() throws {
    let bench = try Bench()
    try bench.folder.write(TrackText.gpx(from: Coordinate(48, 8), count: 3), to: "tracks/good.gpx")
    try bench.folder.write("words", to: "tracks/words.txt")
    try bench.folder.write("\u{0}\u{5}\u{16}\u{7}", to: "tracks/._good.gpx")
    symlink("nowhere", bench.folder.file("tracks/dangling.txt"))
    try makeSocket(at: "tracks/socket.gpx", in: bench)
    mkfifo(bench.folder.file("tracks/pipe.gpx"), 0o600)
    let document = try bench.json("import", "tracks")
    #expect(document.files.elements.map(\.path) == [.string("tracks/good.gpx")])
    #expect(document.totals.ignored.int == 2)
  }

  @Test func `a link in a folder that is named like a track and leads nowhere is refused`() throws {
    let bench = try Bench()
    try bench.folder.write(TrackText.gpx(from: Coordinate(48, 8), count: 3), to: "tracks/good.gpx")
    symlink("nowhere", bench.folder.file("tracks/dangling.gpx"))
    let result = try bench.roqua("import", "tracks", "--json")
    #expect(result.status == 2)
    #expect(result.err.contains("tracks/dangling.gpx: It is a link to a file that does not exist."))
    let files = try JSONTree(parsing: result.out).files.elements
    #expect(files.map(\.path.string) == ["tracks/dangling.gpx", "tracks/good.gpx"])
    #expect(files[0].error.code == .string("notFound"))
  }

  /// Creates a socket: a file system entry that cannot be read.
  private func makeSocket(at name: String, in bench: Bench) throws {
    #if os(Linux)
      let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #else
      let descriptor = socket(AF_UNIX, SOCK_STREAM, 0)
    #endif
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = Array(bench.folder.file(name).utf8) + [0]
    try #require(path.count <= MemoryLayout.size(ofValue: address.sun_path))
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    // Sound: `bind` reads an address of any family through this type, within the size that it gets.
    let bound = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(bound == 0)
  }
}
