import TestSupport
import Testing

@testable import ByteStreams

@Suite struct ZipArchiveTests {
  private static let first = SampleBytes.text(lines: 12)
  private static let second = SampleBytes.text(lines: 5, seed: 1)

  private static func stored(_ name: String, _ contents: [UInt8]) -> ZipBuilder.File {
    var file = ZipBuilder.File(name, contents)
    file.isDeflated = false
    return file
  }

  /// All forms of a file in an archive.
  static let variants: [ZipBuilder.File] = {
    var files = [
      ZipBuilder.File("deflated.gpx", first), stored("stored.gpx", second), stored("empty.gpx", []),
    ]
    files.append(ZipBuilder.File("empty deflated.gpx", []))
    for (hasSignature, sizeBytes) in [(true, 4), (false, 4), (true, 8), (false, 8)] {
      var file = ZipBuilder.File("descriptor \(hasSignature) \(sizeBytes).gpx", first)
      file.descriptor = (hasSignature, sizeBytes)
      files.append(file)
    }
    var large = ZipBuilder.File("zip64.gpx", second)
    large.isZip64 = true
    files.append(large)
    large.name = Array("zip64 with descriptor.gpx".utf8)
    large.descriptor = (true, 8)
    files.append(large)
    return files
  }()

  @Test(arguments: variants.indices)
  func `every form of a file is read, from a file and from a stream`(index: Int) {
    let file = Self.variants[index]
    let bytes = ZipBuilder([file, ZipBuilder.File("last.gpx", Self.second)]).build().bytes
    for pieces in [1, 7, .max] {
      for archive in [UnpackedArchive.file(bytes, pieces: pieces), .stream(bytes, pieces: pieces)] {
        #expect(archive.failure == nil)
        #expect(archive.warnings.isEmpty)
        #expect(archive.members.map { Array($0.name.utf8) } == [file.name, Array("last.gpx".utf8)])
        #expect(archive.members.map(\.unpacked.bytes) == [file.contents, Self.second])
        #expect(archive.members.allSatisfy { $0.unpacked.ending == StreamEnding() })
      }
    }
  }

  @Test func `members keep the order of the archive, and folders are marked`() {
    let builder = ZipBuilder([
      Self.stored("b/", []), ZipBuilder.File("b/z.gpx", Self.first), Self.stored("a.gpx", []),
    ])
    for archive in [UnpackedArchive.file(builder.build().bytes), .stream(builder.build().bytes)] {
      #expect(archive.members.map(\.name) == ["b/", "b/z.gpx", "a.gpx"])
      #expect(archive.members.map(\.isFolder) == [true, false, false])
    }
  }

  @Test func `an empty archive has no members`() {
    #expect(UnpackedArchive.file(ZipBuilder().build().bytes) == UnpackedArchive())
    #expect(UnpackedArchive.stream(ZipBuilder().build().bytes) == UnpackedArchive())
  }

  @Test func `a prefix and a comment are skipped, even one that looks like an end record`() {
    var builder = ZipBuilder([ZipBuilder.File("a.gpx", Self.first)])
    builder.prefix = Array("#!/bin/sh\nunpack yourself\n".utf8)
    builder.comment = Array("a comment PK\u{5}\u{6} of some length, longer than an end record".utf8)
    for tail in [[], Array("behind the end".utf8)] {
      let archive = UnpackedArchive.file(builder.build().bytes + tail)
      #expect(archive.warnings.isEmpty)
      #expect(archive.members.map(\.unpacked.bytes.count) == [Self.first.count])
      #expect(archive.members.allSatisfy { $0.unpacked.ending == StreamEnding() })
    }
  }

  @Test func `zip64 is read for many files`() {
    var file = ZipBuilder.File("a.gpx", Self.first)
    file.isZip64 = true
    let archive = UnpackedArchive.file(ZipBuilder(Array(repeating: file, count: 300)).build().bytes)
    #expect(archive.members.count == 300)
    #expect(archive.members.allSatisfy { $0.unpacked.bytes == Self.first })
  }

  // MARK: - Names

  @Test func `names are UTF-8 or code page 437`() {
    var flagged = ZipBuilder.File("Zürich ☃.gpx", [])
    flagged.flags = 0x800
    var badlyFlagged = ZipBuilder.File(name: [0x61, 0xFF], [])
    badlyFlagged.flags = 0x800
    let old = ZipBuilder.File(name: [0x63, 0x61, 0x66, 0x82, 0x2F, 0x8E, 0xE1, 0xFF, 0x80], [])
    var infoZip = ZipBuilder.File(name: [0x3F, 0x81], [])
    let crc = Deflate.crc32(infoZip.name)
    let unicode = Array("ō.gpx".utf8)
    infoZip.extra = [0x75, 0x70, UInt8(5 + unicode.count), 0, 1]
    infoZip.extra += (0..<4).map { UInt8(truncatingIfNeeded: crc >> (8 * $0)) } + unicode
    var stale = infoZip
    stale.name = [0x3F, 0x82]  // renamed by a program that does not know the field
    let builder = ZipBuilder([
      flagged, badlyFlagged, ZipBuilder.File("é.gpx", []), old, infoZip, stale,
    ])
    let names = ["Zürich ☃.gpx", "a\u{FFFD}", "é.gpx", "café/Äß\u{A0}Ç", "ō.gpx", "?é"]
    #expect(UnpackedArchive.file(builder.build().bytes).members.map(\.name) == names)
    #expect(UnpackedArchive.stream(builder.build().bytes).members.map(\.name) == names)
  }

  @Test func `every byte has a character in code page 437`() {
    let bytes = (UInt8(0)...255).map { $0 }
    let text = ZipName.text(bytes, isUTF8: false, extra: [])
    #expect(text.unicodeScalars.count == 256)
    #expect(Set(text.unicodeScalars).count == 256)
    #expect(text.unicodeScalars.prefix(128).map(\.value) == Array(0..<128))
  }

  // MARK: - Files that are not read

  @Test func `encrypted files and unsupported methods are refused by name, others are read`() {
    var encrypted = ZipBuilder.File("secret.gpx", Self.first)
    encrypted.flags = 1
    var lzma = ZipBuilder.File("lzma.gpx", Self.first)
    lzma.method = 14
    var unknown = ZipBuilder.File("odd.gpx", Self.first)
    unknown.method = 777
    let bytes = ZipBuilder([encrypted, lzma, unknown, ZipBuilder.File("a.gpx", Self.second)])
      .build().bytes
    for archive in [UnpackedArchive.file(bytes), .stream(bytes)] {
      #expect(
        archive.members.map(\.unpacked.ending.error?.code) == [
          .unreadable, .unreadable, .unreadable, nil,
        ])
      let messages = archive.members.compactMap(\.unpacked.ending.error?.message)
      #expect(messages[0].contains("password"))
      #expect(messages[1].contains("LZMA"))
      #expect(messages[2].contains("method 777"))
      #expect(archive.members[0].unpacked.bytes.isEmpty)
      #expect(archive.members[3].unpacked.bytes == Self.second)
    }
  }

  @Test func `a wrong checksum is an error, stored or deflated`() {
    for isDeflated in [true, false] {
      var file = ZipBuilder.File("a.gpx", Self.first)
      file.isDeflated = isDeflated
      file.crc = 1
      let bytes = ZipBuilder([file, ZipBuilder.File("b.gpx", Self.second)]).build().bytes
      for archive in [UnpackedArchive.file(bytes), .stream(bytes)] {
        #expect(archive.members.map(\.unpacked.ending.error?.code) == [.malformed, nil])
      }
    }
  }

  @Test func `a part of a split archive is refused`() {
    var bytes = ZipBuilder([ZipBuilder.File("a.gpx", Self.first)]).build().bytes
    bytes[bytes.count - 18] = 3
    #expect(UnpackedArchive.file(bytes).failure?.code == .unreadable)
  }

  @Test func `a stored file of unknown length is read from a file, but ends a stream`() {
    var file = Self.stored("a.gpx", Self.first)
    file.descriptor = (true, 4)
    let bytes = ZipBuilder([file, ZipBuilder.File("b.gpx", Self.second)]).build().bytes
    #expect(UnpackedArchive.file(bytes).members.map(\.unpacked.bytes) == [Self.first, Self.second])
    let stream = UnpackedArchive.stream(bytes)
    #expect(stream.members.map(\.unpacked.ending.error?.code) == [.unreadable])
    #expect(stream.warnings.map(\.code) == [.truncated])
  }

  // MARK: - Bombs

  @Test func `files that share their bytes are refused`() {
    var builder = ZipBuilder([
      ZipBuilder.File("a.gpx", Self.first), ZipBuilder.File("b.gpx", Self.second),
    ])
    builder.repetitions = 2
    let archive = UnpackedArchive.file(builder.build().bytes)
    #expect(
      archive.members.map(\.unpacked.ending.error?.code) == Array(repeating: .malformed, count: 4))
  }

  @Test func `a file that overlaps the next one is refused`() {
    // The first file is stored, and contains the second with its header.
    let inner = ZipBuilder([ZipBuilder.File("b.gpx", Self.second)])
    let (innerBytes, innerDirectory) = inner.build()
    var outer = ZipBuilder([Self.stored("a.gpx", Array(innerBytes[..<innerDirectory]))])
    outer.prefix = []
    let (bytes, start) = outer.build()
    var entry = Array(innerBytes[innerDirectory..<(innerDirectory + 46 + 5)])
    entry[42] = 30 + 5  // the offset of the inner header
    var archive = Array(bytes[..<start]) + Array(bytes[start..<(start + 46 + 5)]) + entry
    archive += [0x50, 0x4B, 5, 6, 0, 0, 0, 0, 2, 0, 2, 0, 102, 0, 0, 0]
    archive += [
      UInt8(truncatingIfNeeded: start), UInt8(truncatingIfNeeded: start >> 8), 0, 0, 0, 0,
    ]
    let read = UnpackedArchive.file(archive)
    #expect(read.members.map(\.unpacked.ending.error?.code) == [.malformed, nil])
    #expect(read.members.last?.unpacked.bytes == Self.second)
  }

  @Test func `a member that expands too much is stopped`() throws {
    let megabyte = [UInt8](repeating: 0x20, count: 1 << 20)
    let whole = Deflate.gzip(repeating: megabyte, count: 50)
    var file = ZipBuilder.File("a.gpx", [])
    file.packed = Array(whole[10..<(whole.count - 8)])  // without gzip's header and trailer
    let bytes = ZipBuilder([file]).build().bytes
    let archive = try ZipArchive(byteCount: bytes.count) { position, buffer in
      let piece = bytes.dropFirst(position).prefix(buffer.count)
      buffer.copyBytes(from: piece)
      return piece.count
    }
    let member = try #require(try archive.next())
    var (count, largest) = (0, 0)
    let ending = archive.read(member) { piece in
      count += piece.count
      largest = max(largest, piece.count)
      return true
    }
    #expect(ending.error?.code == .tooLarge)
    #expect(count < 34 << 20)
    #expect(largest <= InflateStream.bufferBytes)
  }

  @Test func `a sink can stop a member, and the next one is still found`() throws {
    let bytes = ZipBuilder(Self.variants).build().bytes
    var rest = bytes[...]
    let archive = ZipArchive { buffer in
      let piece = rest.prefix(buffer.count)
      buffer.copyBytes(from: piece)
      rest = rest.dropFirst(piece.count)
      return piece.count
    }
    var names: [String] = []
    while let member = try archive.next() {
      names.append(member.name)
      // Every third member is not read at all.
      if names.count % 3 != 0 { #expect(archive.read(member) { _ in false } == StreamEnding()) }
    }
    #expect(names.map { Array($0.utf8) } == Self.variants.map(\.name))
    #expect(archive.warnings.isEmpty)
  }
}
