import Foundation
import Geodesy
import Testing

@testable import Geocode

@Suite struct BundledDataTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "data/packed").path

  /// Checks everything that a program assumes when it starts: checksums, every offset, every label.
  @Test func `the files pass every check and answer like the linked-in data`() throws {
    let mapped = try Geocoder(contentsOfFolder: Self.folder)
    let bundled = try Geocoder.bundled
    #expect(mapped.vintage == bundled.vintage)
    #expect(mapped.cityCount == bundled.cityCount)
    for latitude in stride(from: -80.0, through: 80, by: 10) {
      for longitude in stride(from: -180.0, to: 180, by: 10) {
        let point = Coordinate(latitude, longitude)
        #expect(mapped.codes(at: point) == bundled.codes(at: point))
        #expect(mapped.sea(at: point) == bundled.sea(at: point))
      }
    }
    let owners =
      bundled.gazetteer.owners + [
        try #require(bundled.gazetteer.otherNames).owner,
        try #require(bundled.gazetteer.seas).owner,
      ]
    try #require(owners.count == GeodataKind.allCases.count)
    for (kind, owner) in zip(GeodataKind.allCases, owners) {
      let file = try Data(contentsOf: URL(filePath: Self.folder + "/" + kind.fileName))
      #expect(file.elementsEqual(owner.bytes), "\(kind) equals the linked-in data")
    }
  }

  /// Foundation would add 9 MB to the memory of a program that links the geocoder:
  /// docs/decisions/geodata-packing.md.
  @Test(arguments: ["Geocode", "Geodesy"])
  func `the module does not import Foundation`(room: String) throws {
    let sources = URL(filePath: Self.folder).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Sources/\(room)")
    let files = try #require(
      FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var count = 0
    for case let file as URL in files where file.pathExtension == "swift" {
      count += 1
      #expect(
        try !String(contentsOf: file, encoding: .utf8).contains("import Foundation"), "\(file.path)"
      )
    }
    #expect(count > 5)
  }

  @Test func `the manifest has the sizes and SHA-256 values of the files`() throws {
    let manifest = try String(contentsOfFile: Self.folder + "/manifest.txt", encoding: .utf8)
    let entries = manifest.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
    #expect(
      entries.map { $0[2] } == [
        "basemap.bin", "boundaries.bin", "land.bin", "names.bin", "places.bin", "regions.bin",
        "seas.bin",
      ])
    var total = 0
    for entry in entries {
      let path = Self.folder + "/" + entry[2]
      #expect(try Self.sha256(path) == entry[0])
      total += try Data(contentsOf: URL(filePath: path)).count
    }
    #expect(total == entries.compactMap { Int($0[1]) }.reduce(0, +))
    #expect(total <= 20_000_000)
  }

  /// Computed by the system's tool: `sha256sum`, or `shasum` on macOS.
  private static func sha256(_ path: String) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    #if os(macOS)
      process.arguments = ["shasum", "-a", "256", path]
    #else
      process.arguments = ["sha256sum", path]
    #endif
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return String(decoding: output.prefix { $0 != UInt8(ascii: " ") }, as: UTF8.self)
  }
}
