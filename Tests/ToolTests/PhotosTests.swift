import Foundation
import Geodesy
import TestSupport
import Testing

/// `roqua photos` without exiftool.
@Suite struct PhotosUsageTests {
  @Test func `without exiftool the message says how to install it`() throws {
    let bench = try Bench()
    try bench.importSamples()
    let result = try bench.roqua("photos", ".", environment: ["PATH": bench.folder.path])
    #expect(result.status == 1 && result.out.isEmpty)
    #expect(result.err.contains("apt install libimage-exiftool-perl"))
    #expect(result.errorLines.count == 1)
  }

  @Test func `what cannot be is wrong usage`() throws {
    let bench = try Bench()
    for arguments in [
      ["photos"], ["photos", ".", "--force"], ["photos", ".", "--write", "gps"],
      ["photos", ".", "--offset", "two"], ["photos", ".", "--write", "exif", "--force"],
      ["photos", ".", "--offset", "1", "--offset", "2"],
    ] {
      #expect(try bench.roqua(arguments).status == 64, "\(arguments)")
    }
  }
}

/// `roqua photos` with the real exiftool. `make test-photos` also has HEIC, PNG and videos.
@Suite(
  .enabled(
    if: FileManager.default.isExecutableFile(atPath: "/usr/bin/exiftool"),
    "exiftool is not installed (libimage-exiftool-perl)"))
struct PhotosTests {
  private let bench: Bench

  /// A track from 10:00 to 10:20 UTC in Germany, a fix every 10 s, 0.001° apart.
  init() throws {
    bench = try Bench()
    try bench.folder.write(TrackText.gpx(from: Coordinate(48, 8), count: 121), to: "ride.gpx")
    _ = try bench.roqua("import", "ride.gpx")
  }

  private func add(_ name: String, _ time: String?, offset: String? = nil, model: String? = nil)
    throws
  {
    try bench.folder.write(
      PhotoBytes.jpeg(time: time, offset: offset, model: model), to: "photos/\(name)")
  }

  private func exiftool(_ arguments: String...) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/exiftool")
    process.currentDirectoryURL = URL(fileURLWithPath: bench.folder.path)
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let bytes = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func `the time zone is that of the file, of --offset, or of the place`() throws {
    try add("-first.jpg", "2024:05:01 19:00:15", offset: "+09:00")
    try add("a/b/#second.JPG", "2024:05:01 12:00:15")
    try add(" third.jpeg", nil)
    try bench.folder.write("text", to: "photos/notes.txt")
    let answer = try bench.json("photos", "photos")
    #expect(
      answer.photos.elements.map(\.path.string) == [
        "photos/ third.jpeg", "photos/-first.jpg", "photos/a/b/#second.JPG",
      ])
    #expect(
      answer.photos.elements.map(\.state.string) == ["noTime", "proposed", "proposed"])
    let clocks = answer.photos.elements.map(\.clock.string)
    #expect(clocks == [nil, "file", "place"])
    for photo in answer.photos.elements.dropFirst() {
      #expect(photo.time == .string("2024-05-01T10:00:15Z"))
      #expect(photo.latitude.double == 48.0015 && photo.longitude.double == 8.0015)
      #expect(photo.certainty == .string("moving") && photo.countryCode == .string("DE"))
    }
    #expect(answer.totals.proposed.int == 2 && answer.totals.written.int == 0)
    let stated = try bench.json("photos", "photos/a", "--offset=-1:00:00")
    #expect(stated.photos[0].clock == .string("option"))
    #expect(stated.photos[0].time == .string("2024-05-01T13:00:15Z"))
    #expect(stated.photos[0].state == .string("tooUncertain"))
  }

  @Test func `a folder is looked into whatever its name is`() throws {
    try add("x.jpg/y.mov/a.jpg", "2024:05:01 12:00:15")
    try bench.folder.write(
      PhotoBytes.jpeg(time: "2024:05:01 12:00:15", offset: nil, model: nil),
      to: "elsewhere/b.jpg")
    // Links to folders are left out, those to photos are not.
    for (name, target) in [("link.jpg", "elsewhere"), ("photo.jpg", "elsewhere/b.jpg")] {
      try FileManager.default.createSymbolicLink(
        atPath: bench.folder.file("photos/\(name)"),
        withDestinationPath: bench.folder.file(target))
    }
    let answer = try bench.json("photos", "photos")
    #expect(
      answer.photos.elements.map(\.path.string) == [
        "photos/photo.jpg", "photos/x.jpg/y.mov/a.jpg",
      ])
    #expect(answer.photos.elements.allSatisfy { $0.state == .string("proposed") })
  }

  @Test func `a camera's clock is worked out from its photos that have a position`() throws {
    // The clock is 3:21:07 behind.
    try add("known 1.jpg", "2024:05:01 06:40:53", model: "Acme Z1")
    try add("known 2.jpg", "2024:05:01 06:48:53", model: "Acme Z1")
    try add("asked.jpg", "2024:05:01 06:43:53", model: "Acme Z1")
    for (name, degrees) in [("known 1", 0.012), ("known 2", 0.06)] {
      _ = try exiftool(
        "-overwrite_original", "-n", "-GPSLatitude=\(48 + degrees)", "-GPSLatitudeRef=N",
        "-GPSLongitude=\(8 + degrees)", "-GPSLongitudeRef=E", "photos/\(name).jpg")
    }
    let answer = try bench.json("photos", "photos")
    #expect(answer.cameras[0].camera == .string("Acme Z1"))
    #expect(answer.cameras[0].offset == .string("-03:21:07"))
    #expect(answer.photos[0].clock == .string("camera"))
    #expect(answer.photos[0].time == .string("2024-05-01T10:05:00Z"))
    #expect(answer.photos[1].state == .string("hasPosition"))
    let words = try bench.roqua("photos", "photos")
    #expect(words.out.contains("The clock of Acme Z1 is UTC-03:21:07, worked out from 2 photos"))
  }

  @Test(arguments: ["xmp", "exif", "xmp --force"])
  func `positions that Roqua wrote say nothing about the camera's clock`(target: String) throws {
    for minute in 0..<3 {
      try add("\(minute).jpg", "2024:05:01 12:0\(minute):15", model: "Acme Z1")
      guard target.hasSuffix("--force") else { continue }
      _ = try exiftool("-o", "photos/\(minute).jpg.xmp", "-XMP:Rating=3")
    }
    let words = target.split(separator: " ").map(String.init)
    let written = try bench.roqua(["photos", "photos", "--write"] + words)
    #expect(written.status == 0, "\(written.err)")
    try add("new.jpg", "2024:05:01 12:05:15", model: "Acme Z1")
    let answer = try bench.json("photos", "photos")
    #expect(
      answer.photos.elements.map(\.state.string)
        == ["hasPosition", "hasPosition", "hasPosition", "proposed"])
    #expect(answer.cameras.elements.isEmpty)
    #expect(answer.photos[3].clock == .string("place"))
    let file = target == "exif" ? "photos/0.jpg" : "photos/0.jpg.xmp"
    #expect(try exiftool("-n", "-s3", "-GPSProcessingMethod", file) == "MANUAL\n")
  }

  @Test func `sidecars are written on request, and exiftool reads them`() throws {
    try add("a.jpg", "2024:05:01 12:00:15")
    let before = try bytes(of: bench.folder.file("photos/a.jpg"))
    _ = try bench.roqua("photos", "photos")
    #expect(!FileManager.default.fileExists(atPath: bench.folder.file("photos/a.jpg.xmp")))
    let result = try bench.roqua("photos", "photos", "--write", "xmp")
    #expect(result.status == 0, "\(result.err)")
    #expect(try bytes(of: bench.folder.file("photos/a.jpg")) == before)
    let tags = try exiftool(
      "-n", "-s3", "-XMP:GPSLatitude", "-XMP:GPSLongitude", "-XMP:GPSHPositioningError",
      "-validate", "-warning", "photos/a.jpg.xmp")
    #expect(tags.split(separator: "\n").prefix(3) == ["48.0015", "8.0015", "87"])
    let again = try bench.json("photos", "photos", "--write", "xmp")
    #expect(again.photos[0].state == .string("hasPosition"))
    #expect(again.photos[0].latitude.double == 48.0015)
  }

  @Test func `an existing sidecar is kept, and gets the position only with --force`() throws {
    try add("a.jpg", "2024:05:01 12:00:15")
    _ = try exiftool("-o", "photos/a.jpg.xmp", "-XMP:Rating=3")
    let sidecar = bench.folder.file("photos/a.jpg.xmp")
    let before = try bytes(of: sidecar)
    let refused = try bench.roqua("photos", "photos", "--write", "xmp")
    #expect(refused.status == 2 && refused.err.contains("use --force"))
    #expect(try bytes(of: sidecar) == before)
    let result = try bench.roqua("photos", "photos", "--write", "xmp", "--force")
    #expect(result.status == 0, "\(result.err)")
    let tags = try exiftool("-n", "-s3", "-XMP:Rating", "-XMP:GPSLatitude", "photos/a.jpg.xmp")
    #expect(tags == "3\n48.0015\n")
  }

  @Test func `positions are written into photos, and the original is kept`() throws {
    try add("a.jpg", "2024:05:01 12:00:15")
    try add("far.jpg", "2024:05:01 14:00:15")
    let before = try bytes(of: bench.folder.file("photos/a.jpg"))
    let far = try bytes(of: bench.folder.file("photos/far.jpg"))
    let result = try bench.json("photos", "photos", "--write", "exif")
    #expect(result.photos.elements.map(\.state.string) == ["written", "tooUncertain"])
    #expect(try bytes(of: bench.folder.file("photos/a.jpg_original")) == before)
    #expect(try bytes(of: bench.folder.file("photos/far.jpg")) == far)
    let tags = try exiftool(
      "-n", "-s3", "-Composite:GPSLatitude", "-DateTimeOriginal", "photos/a.jpg")
    #expect(tags == "48.0015\n2024:05:01 12:00:15\n")
    let changed = try bytes(of: bench.folder.file("photos/a.jpg"))
    _ = try bench.json("photos", "photos", "--write", "exif")
    #expect(try bytes(of: bench.folder.file("photos/a.jpg")) == changed, "it has a position")
  }

  @Test func `far from every fix no position is proposed, whatever the limit is`() throws {
    try bench.folder.write(
      TrackText.gpx([(Coordinate(48.2, 8.2), Timestamp(iso8601: "2024-07-01T10:00:00Z"))]),
      to: "later.gpx")
    #expect(try bench.roqua("import", "later.gpx").status == 0)
    try add("far.jpg", "2024:05:31 14:00:15", offset: "+02:00")
    try add("near.jpg", "2024:05:02 09:00:15", offset: "+02:00")
    let arguments = ["photos", "photos", "--max-uncertainty", "40000km"]
    let words = try bench.roqua(arguments)
    #expect(words.out.contains("far.jpg"))
    #expect(words.out.contains("nothing is known within a day"))
    #expect(!words.out.contains("±20,0"))
    let result = try bench.roqua(arguments + ["--write", "xmp", "--json"])
    let answer = try JSONTree(parsing: result.out)
    #expect(answer.photos.elements.map(\.state.string) == ["noPosition", "written"])
    let far = answer.photos[0]
    #expect(far.time == .string("2024-05-31T12:00:15Z"))
    #expect(far.latitude.isNull && far.uncertaintyMeters.isNull && far.certainty.isNull)
    #expect(answer.totals.noPosition.int == 1)
    #expect(!FileManager.default.fileExists(atPath: bench.folder.file("photos/far.jpg.xmp")))
  }

  @Test func `what is no photo is reported, and the others are answered`() throws {
    try add("a.jpg", "2024:05:01 12:00:15")
    try bench.folder.write("no photo", to: "photos/b.jpg")
    let result = try bench.roqua("photos", "photos", "missing.jpg")
    #expect(result.status == 2)
    #expect(
      result.errorLines == [
        "photos/b.jpg: It is not a photo or video.",
        "missing.jpg: There is no such file or folder.",
      ])
    #expect(result.out.contains("3 photos: 1 with a proposed position, 2 unreadable"))
  }

  @Test func `a folder that may be listed and not searched is reported`() throws {
    for name in ["open.jpg", "closed/a.jpg"] { try add(name, "2024:05:01 12:00:15") }
    let closed = bench.folder.file("photos/closed")
    for path in ["", "photos"] { chmod(bench.folder.file(path), 0o755) }
    chmod(closed, 0o644)
    defer { chmod(closed, 0o700) }
    var process = bench.process(["photos", "photos"])
    if getuid() == 0 {
      // Root may search every folder. Another user must be able to read the store.
      process.wrapper = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
      chmod(bench.folder.file("home"), 0o777)
      chmod(bench.storePath, 0o666)
    }
    let result = try process.run()
    #expect(result.status == 2, "\(result.err)")
    #expect(result.errorLines == ["photos/closed: The folder cannot be read."])
    #expect(result.out.contains("2 photos: 1 with a proposed position, 1 unreadable"))
  }

  @Test func `a path where nothing is is an error, as for an import`() throws {
    let result = try bench.roqua("photos", "missing")
    #expect(result.status == 1 && result.out.isEmpty)
    #expect(result.err == "roqua: missing: There is no such file or folder.\n")
  }

  @Test func `an offset that no time zone has counts as none`() throws {
    try add("a.jpg", "2024:05:01 12:00:15", offset: "+99:00")
    let result = try bench.roqua("photos", "photos")
    #expect(result.status == 0 && result.out.contains("by the time zone of the place"))
  }
}
