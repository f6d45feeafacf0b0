import TestSupport
import Testing

@testable import ByteStreams

@Suite struct ZipDamageTests {
  private static let contents = [
    SampleBytes.text(lines: 6), SampleBytes.text(lines: 3, seed: 1),
    SampleBytes.text(lines: 4, seed: 2),
  ]

  private static let builder: ZipBuilder = {
    var stored = ZipBuilder.File("b.gpx", contents[1])
    stored.isDeflated = false
    var streamed = ZipBuilder.File("c.gpx", contents[2])
    streamed.descriptor = (true, 4)
    return ZipBuilder([ZipBuilder.File("a.gpx", contents[0]), stored, streamed])
  }()

  @Test func `a member that claims an impossible size ends the archive`() {
    // A local header of zip64 with sizes of 2⁶³ - 1, and five bytes of contents.
    let bytes: [UInt8] =
      [0x50, 0x4B, 0x03, 0x04, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
      + [UInt8](repeating: 0xFF, count: 8) + [1, 0, 20, 0] + Array("a".utf8) + [1, 0, 16, 0]
      + [UInt8](repeating: 0xFF, count: 7) + [0x7F] + [UInt8](repeating: 0xFF, count: 7) + [0x7F]
      + Array("hello".utf8)
    for archive in [UnpackedArchive.file(bytes), UnpackedArchive.stream(bytes)] {
      #expect(archive.members.allSatisfy { $0.unpacked.ending != StreamEnding() })
    }
  }

  @Test func `an archive truncated anywhere gives the complete files and a part of the last`() {
    let (bytes, directoryStart) = Self.builder.build()
    var complete: Set<Int> = []
    for length in 4..<bytes.count {
      let cut = Array(bytes[..<length])
      let archive = UnpackedArchive.file(cut)
      #expect(archive.failure == nil)
      #expect(archive.warnings.contains { $0.code == .truncated })
      for (index, member) in archive.members.enumerated() {
        #expect(Self.contents[index].starts(with: member.unpacked.bytes))
        #expect(member.unpacked.ending.error == nil)
        let isWhole =
          member.unpacked.bytes == Self.contents[index] && member.unpacked.ending == StreamEnding()
        #expect(isWhole || index == archive.members.count - 1)
      }
      complete.insert(archive.members.count { $0.unpacked.ending == StreamEnding() })
      // A stream is read without the directory, which must be complete all the same.
      let stream = UnpackedArchive.stream(cut)
      #expect(stream.members == archive.members)
      #expect(stream.warnings.map(\.code) == [.truncated])
      if length >= directoryStart + 4 {
        #expect(stream.warnings.first?.message.contains("directory") == true)
        #expect(UnpackedArchive.stream(cut, pieces: 1) == stream)
      }
    }
    #expect(complete == [0, 1, 2, 3])
  }

  @Test func `a stream that is cut in any record behind its members is reported`() {
    var file = ZipBuilder.File("a", Self.contents[0])
    file.isZip64 = true
    var builder = ZipBuilder([file, ZipBuilder.File("b", Self.contents[1])])
    builder.comment = Array("a comment".utf8)
    for builder in [builder, ZipBuilder()] {
      let (bytes, start) = builder.build()
      #expect(UnpackedArchive.stream(bytes).warnings.isEmpty)
      // What follows the archive is not part of it.
      #expect(UnpackedArchive.stream(bytes + [1, 2, 3]).warnings.isEmpty)
      for length in (start + 1)..<bytes.count {
        let cut = UnpackedArchive.stream(Array(bytes[..<length]))
        #expect(cut.warnings.map(\.code) == [.truncated], "cut at \(length)")
      }
    }
    // Something else among the records.
    let (bytes, start) = builder.build()
    let entries = (start..<bytes.count - 4).filter { bytes[$0..<$0 + 4] == [0x50, 0x4B, 1, 2] }
    #expect(entries.count == 2)
    var damaged = bytes
    damaged[entries[1] + 3] = 9
    #expect(UnpackedArchive.stream(damaged).warnings.map(\.code) == [.truncated])
  }

  @Test(arguments: Seeds.sample(30))
  func `a flipped bit is detected or harmless`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let bytes = Self.builder.build().bytes
    for _ in 0..<30 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let at = Int.random(in: 0..<damaged.count, using: &random)
        damaged[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      }
      for archive in [UnpackedArchive.file(damaged), .stream(damaged)] {
        for member in archive.sound {
          let isWhole = Self.contents.contains(member.unpacked.bytes) || member.isFolder
          // A bit in a size or a flag may make a file look truncated or empty, which is reported.
          let isPart = member.unpacked.ending.warnings.contains { $0.code == .truncated }
          #expect(isWhole || isPart, "\(member.name): \(member.unpacked.bytes.count) bytes")
        }
      }
    }
  }

  @Test(arguments: Seeds.sample(30))
  func `any bytes after a signature never trap`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let noise = (0..<Int.random(in: 0..<2_000, using: &random)).map { _ in
      UInt8.random(in: 0...255, using: &random)
    }
    let signatures: [[UInt8]] = [
      [0x50, 0x4B, 3, 4], [0x50, 0x4B, 1, 2], [0x50, 0x4B, 5, 6], [0x50, 0x4B, 6, 6],
    ]
    let mixed = signatures.flatMap { $0 + noise } + signatures[2] + noise.prefix(18)
    for bytes in [signatures[0] + noise, noise + signatures[2] + noise.prefix(18), mixed] {
      let file = UnpackedArchive.file(bytes)
      #expect(file.sound.allSatisfy { $0.unpacked.bytes.count < 1 << 20 })
      #expect(UnpackedArchive.file(bytes, pieces: 3) == file)
      #expect(UnpackedArchive.stream(bytes, pieces: 3) == UnpackedArchive.stream(bytes))
    }
  }

  @Test func `a damaged entry in the directory loses no file`() {
    let (bytes, start) = Self.builder.build()
    let entries = (start..<bytes.count - 4).filter { bytes[$0..<$0 + 4] == [0x50, 0x4B, 1, 2] }
    #expect(entries.count == Self.contents.count)
    for entry in entries {
      var damaged = bytes
      damaged[entry + 1] = 0
      let archive = UnpackedArchive.file(damaged)
      #expect(archive.warnings.contains { $0.code == .truncated })
      #expect(archive.sound.map(\.unpacked.bytes) == Self.contents)
    }
    // A directory whose stated size is too small.
    var short = bytes
    let size = bytes.count - 22 + 12
    short[size] -= 1
    #expect(UnpackedArchive.file(short).sound.map(\.unpacked.bytes) == Self.contents)
  }

  @Test func `impossibly large numbers are refused`() {
    let (bytes, start) = Self.builder.build()
    // Sizes and the offset of the first file in the directory.
    for (field, count) in [(20, 4), (24, 4), (42, 4)] {
      var damaged = bytes
      for index in 0..<count { damaged[start + field + index] = 0xFE }
      let archive = UnpackedArchive.file(damaged)
      #expect(archive.members.first?.unpacked.ending.error?.code == .malformed)
      #expect(archive.sound.count == 2)
    }
  }

  @Test func `a read failure is passed on`() {
    let bytes = Self.builder.build().bytes
    let failure = StreamError(code: .unreadable, message: "no more")
    var calls = 0
    let archive = ZipArchive { buffer throws(StreamError) in
      calls += 1
      guard calls == 1 else { throw failure }
      buffer.copyBytes(from: bytes.prefix(60))
      return 60
    }
    #expect(throws: failure) {
      guard let member = try archive.next() else { return }
      if let error = archive.read(member, to: { _ in true }).error { throw error }
    }
  }
}
