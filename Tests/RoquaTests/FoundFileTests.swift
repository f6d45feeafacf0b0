import Foundation
import Geodesy
import TestSupport
import Testing

@testable import Roqua

@Suite struct FoundFileTests {
  private func link(_ target: String, at name: String, in folder: TemporaryFolder) throws {
    try FileManager.default.createSymbolicLink(
      atPath: folder.file(name), withDestinationPath: target)
  }

  private func names(_ found: [FoundFile], below folder: TemporaryFolder) -> [String] {
    found.map { String($0.path.dropFirst(folder.path.count + 1)) }
  }

  @Test func `files in a folder are sorted by bytes of their names, arguments keep their order`()
    throws
  {
    let folder = try TemporaryFolder()
    for name in ["b", "a/z", "a/B", "a/é", "a.gpx", "Z", "10", "9", ".hidden"] {
      try folder.write("", to: "one/" + name)
    }
    try folder.write("", to: "two")
    let found = FoundFile.find([folder.file("two"), folder.file("one")])
    #expect(
      names(found, below: folder) == ["two"]
        + [".hidden", "10", "9", "Z", "a/B", "a/z", "a/é", "a.gpx", "b"].map { "one/" + $0 })
    #expect(found.allSatisfy { $0.failure == nil })
  }

  @Test func `a canceled search leaves out the rest, wherever it is`() throws {
    let folder = try TemporaryFolder()
    for name in ["a", "b/c", "b/d/e", "b/f", "g"] { try folder.write("", to: "top/" + name) }
    // One call for each file and folder: top, a, b, c, d, e, f, g.
    for calls in 0...8 {
      var left = calls
      let found = FoundFile.find([folder.file("top"), folder.file("top/a")]) {
        left -= 1
        return left < 0
      }
      let all = ["a", "b/c", "b/d/e", "b/f", "g"].map { "top/" + $0 }
      let count = [0, 0, 1, 1, 2, 2, 3, 4, 5][calls]
      #expect(names(found, below: folder) == Array(all.prefix(count)), "after \(calls) calls")
    }
  }

  @Test func `a folder passed under two names is read for each argument`() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "one/a.gpx")
    let found = FoundFile.find([
      folder.file("one"), folder.file("one/"), folder.file("one/../one"),
    ])
    #expect(names(found, below: folder) == ["one/a.gpx", "one/a.gpx", "one/../one/a.gpx"])
  }

  @Test func `a folder that contains links to itself is entered once`() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "top/a.gpx")
    try folder.write("", to: "top/deep/b.gpx")
    try link("..", at: "top/deep/up", in: folder)
    try link(".", at: "top/self", in: folder)
    try link("loop", at: "top/loop", in: folder)
    try link("deep", at: "top/other-deep", in: folder)
    let found = FoundFile.find([folder.file("top")])
    #expect(names(found, below: folder) == ["top/a.gpx", "top/deep/b.gpx"])
    #expect(found.allSatisfy { $0.failure == nil })
  }

  @Test func `links are followed, and a dangling one named like a track is refused`() throws {
    let folder = try TemporaryFolder()
    try folder.write("", to: "elsewhere/c.gpx")
    try folder.write("", to: "top/a.gpx")
    try link("../elsewhere", at: "top/linked", in: folder)
    try link("../elsewhere/c.gpx", at: "top/file-link.gpx", in: folder)
    try link("nowhere", at: "top/dangling.gpx", in: folder)
    try link("a.gpx/b.gpx", at: "top/dangling.nmea.gz", in: folder)
    for name in ["dangling", "dangling.txt", "._dangling.gpx"] {
      try link("nowhere", at: "top/\(name)", in: folder)
    }
    try link("circle.gpx", at: "top/circle.gpx", in: folder)
    let found = FoundFile.find([folder.file("top")])
    #expect(
      names(found, below: folder) == [
        "top/a.gpx", "top/dangling.gpx", "top/dangling.nmea.gz", "top/file-link.gpx",
        "top/linked/c.gpx",
      ])
    #expect(found.map { $0.failure?.code } == [nil, .notFound, .notFound, nil, nil])
    #expect(found[1].failure?.message == "It is a link to a file that does not exist.")
    let report = Explorer.preview([folder.file("top")])
    #expect(report.files.count { $0.track.error?.code == .notFound } == 2)
    // The same link named by the user is a failure.
    let named = FoundFile.find([folder.file("top/dangling.gpx")])
    #expect(named.map { $0.failure?.code } == [.notFound])
  }

  @Test func `a file is claimed as a track by its extension or by being named`() throws {
    let folder = try TemporaryFolder()
    let claims = [
      "a.gpx": true, "B.GPX": true, "c.nmea": true, "d.txt": false, "._a.gpx": false, "e": false,
    ]
    for name in claims.keys { try folder.write("", to: name) }
    for file in FoundFile.find([folder.path]) {
      let name = String(file.path.dropFirst(folder.path.count + 1))
      #expect(file.isClaimedTrack == claims[name], "\(name)")
    }
    for name in claims.keys {
      #expect(FoundFile.find([folder.file(name)]).map(\.isClaimedTrack) == [true], "\(name)")
    }
  }

  @Test func `resource forks and files that are not tracks are ignored, not refused`() throws {
    let folder = try TemporaryFolder()
    try folder.write(TrackText.gpx(from: Coordinate(48, 8), count: 3), to: "a.gpx")
    try folder.write([0, 5, 0x16, 7, 0, 2, 0, 0], to: "._a.gpx")
    try folder.write("plain", to: ".DS_Store")
    try folder.write("let gpx = \"<gpx>\" // source code that mentions it", to: "code.swift")
    try folder.write("", to: "empty")
    let report = Explorer.preview([folder.path])
    #expect(report.files.map(\.path) == [folder.file("a.gpx")])
    #expect(report.ignored == 4)
  }

  @Test func `standard input is returned as is, and a missing path is a failure`() {
    let found = FoundFile.find(["-", "/nowhere/at/all", "-"])
    #expect(found.map(\.path) == ["-", "/nowhere/at/all", "-"])
    #expect(found.allSatisfy { $0.systemPath == nil && $0.isClaimedTrack })
    #expect(found.map { $0.failure?.code } == [nil, .notFound, nil])
  }
}
