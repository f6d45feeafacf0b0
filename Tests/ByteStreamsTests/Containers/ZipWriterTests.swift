import Foundation
import TestSupport
import Testing

@testable import ByteStreams

@Suite struct ZipWriterTests {
  private typealias File = (name: String, contents: [UInt8])

  private static let files: [File] = [
    ("doc.kml", SampleBytes.text(lines: 5_000)), ("empty", []), ("é/東京.txt", Array("x".utf8)),
    ("zeros", [UInt8](repeating: 0, count: 300_000)),
  ]

  /// Writes files in pieces of one size; numbers from `large` on are in zip64 fields.
  private static func archive(
    _ files: [File], pieces: Int = .max, large: UInt64 = 0xFFFF_FFFF
  ) throws -> [UInt8] {
    var bytes: [UInt8] = []
    let writer = try ZipWriter(level: 6, largeFrom: large) {
      bytes += $0
      return true
    }
    for file in files {
      writer.begin(file.name)
      var rest = file.contents[...]
      while !rest.isEmpty {
        #expect(writer.write(Array(rest.prefix(pieces))))
        rest = rest.dropFirst(pieces)
      }
      #expect(writer.end())
    }
    #expect(writer.finish())
    return bytes
  }

  @Test(arguments: [0xFFFF_FFFF, 3, 1_000, 100_000])
  func `every member reads back, from a file and from a stream`(large: UInt64) throws {
    let bytes = try Self.archive(Self.files, large: large)
    for archive in [UnpackedArchive.file(bytes), .stream(bytes)] {
      #expect(archive.failure == nil)
      #expect(archive.warnings.isEmpty)
      #expect(archive.members.map(\.name) == Self.files.map(\.name))
      #expect(archive.members.map(\.unpacked.bytes) == Self.files.map(\.contents))
      #expect(archive.members.allSatisfy { $0.unpacked.ending == StreamEnding() })
    }
  }

  @Test func `pieces of any size give members of the same contents`() throws {
    let files = [(name: "a", contents: Array(Self.files[0].contents.prefix(3_000)))]
    for pieces in [1, 7, 1_000] {
      let archive = UnpackedArchive.file(try Self.archive(files, pieces: pieces))
      #expect(archive.members.map(\.unpacked.bytes) == files.map(\.contents))
    }
  }

  @Test func `more members than 65 535 are counted in a zip64 record`() throws {
    let files = (0..<65_537).map { (name: "\($0)", contents: [UInt8]()) }
    let archive = UnpackedArchive.file(try Self.archive(files))
    #expect(archive.failure == nil)
    #expect(archive.warnings.isEmpty)
    #expect(archive.members.map(\.name) == files.map(\.name))
  }

  @Test func `an archive without members is an end record`() throws {
    #expect(try Self.archive([]) == [0x50, 0x4B, 5, 6] + [UInt8](repeating: 0, count: 18))
  }

  @Test func `after the sink has refused bytes, every call says so`() throws {
    var calls = 0
    let writer = try ZipWriter { _ in
      calls += 1
      return false
    }
    writer.begin("noise")
    var random = SplitMix64(seed: 1)
    let noise = (0..<200_000).map { _ in UInt8.random(in: 0...255, using: &random) }
    #expect(!writer.write(noise))
    #expect(!writer.write([1]))
    #expect(!writer.end())
    #expect(!writer.finish())
    #expect(calls == 1)
  }

  @Test(arguments: [0xFFFF_FFFF, 0, 1_000])
  func `Python's zipfile finds nothing wrong, and reads the same bytes`(large: UInt64) throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Self.archive(Self.files, large: large), to: "a.zip")
    let script = """
      import sys, zipfile
      archive = zipfile.ZipFile(sys.argv[1])
      assert archive.testzip() is None
      for info in archive.infolist():
        assert info.date_time == (1980, 1, 1, 0, 0, 0) and info.external_attr >> 16 == 0o100644
        print(info.filename, info.file_size, info.CRC)
      """
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["python3", "-X", "utf8", "-c", script, path]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let expected = Self.files.map {
      "\($0.name) \($0.contents.count) \(Deflate.crc32($0.contents))\n"
    }
    #expect(String(decoding: output, as: UTF8.self) == expected.joined())
  }
}
