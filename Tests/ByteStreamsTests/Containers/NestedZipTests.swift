import TestSupport
import Testing

@testable import ByteStreams

/// Archives in archives.
@Suite struct NestedZipTests {
  private static let contents = [
    SampleBytes.text(lines: 6), SampleBytes.text(lines: 30, seed: 1),
    SampleBytes.text(lines: 4, seed: 2),
  ]

  private static let inner: [UInt8] = {
    var streamed = ZipBuilder.File("c", contents[2])
    streamed.descriptor = (true, 4)
    var stored = ZipBuilder.File("b", contents[1])
    stored.isDeflated = false
    return ZipBuilder([ZipBuilder.File("a", contents[0]), stored, streamed]).build().bytes
  }()

  /// An archive with a file, the inner archive and another file.
  private static func outer(isDeflated: Bool, descriptor: Bool = false) -> [UInt8] {
    var archive = ZipBuilder.File("inner.zip", inner)
    archive.isDeflated = isDeflated
    if descriptor { archive.descriptor = (true, 4) }
    return ZipBuilder([
      ZipBuilder.File("first", contents[0]), archive, ZipBuilder.File("last", contents[2]),
    ]).build().bytes
  }

  /// The outer archives that can be read from a file and from a stream.
  private static let forms = [
    outer(isDeflated: true), outer(isDeflated: false), outer(isDeflated: true, descriptor: true),
  ]

  /// A file that was read, with the names of the archives that it is in.
  struct Read: Equatable {
    var name: String
    var bytes: [UInt8] = []
    var ending = StreamEnding()
  }

  /// All files of an archive and of the archives in it, and the endings of those archives.
  static func readAll(_ archive: ZipArchive, prefix: String = "") throws -> [Read] {
    var all: [Read] = []
    while let member = try archive.next() {
      var read = Read(name: prefix + member.name)
      if archive.head(of: member, count: 4) == [0x50, 0x4B, 3, 4] {
        let inner = try archive.archive(in: member)
        all += try readAll(inner, prefix: read.name + "/")
        read.ending = archive.end(member)
        read.ending.warnings += inner.warnings
      } else {
        read.ending = archive.read(member) {
          read.bytes += $0; return true
        }
      }
      all.append(read)
    }
    return all
  }

  static func file(_ bytes: [UInt8], pieces: Int = .max) throws -> [Read] {
    try readAll(
      ZipArchive(byteCount: bytes.count) { position, buffer in
        let piece = bytes.dropFirst(position).prefix(min(buffer.count, pieces))
        buffer.copyBytes(from: piece)
        return piece.count
      })
  }

  static func stream(_ bytes: [UInt8], pieces: Int = .max) throws -> [Read] {
    var rest = bytes[...]
    return try readAll(
      ZipArchive { buffer in
        let piece = rest.prefix(min(buffer.count, pieces))
        buffer.copyBytes(from: piece)
        rest = rest.dropFirst(piece.count)
        return piece.count
      })
  }

  @Test(arguments: forms.indices)
  func `an archive in an archive is read in pieces of any size, from a file and a stream`(
    form: Int
  ) throws {
    let expected = [
      Read(name: "first", bytes: Self.contents[0]),
      Read(name: "inner.zip/a", bytes: Self.contents[0]),
      Read(name: "inner.zip/b", bytes: Self.contents[1]),
      Read(name: "inner.zip/c", bytes: Self.contents[2]), Read(name: "inner.zip"),
      Read(name: "last", bytes: Self.contents[2]),
    ]
    for pieces in [1, 2, 3, 7, 100, .max] {
      #expect(try Self.file(Self.forms[form], pieces: pieces) == expected)
      #expect(try Self.stream(Self.forms[form], pieces: pieces) == expected)
    }
  }

  @Test func `a file whose first bytes were looked at is read from its start`() throws {
    let bytes = Self.forms[0]
    let archive = try ZipArchive(byteCount: bytes.count) { position, buffer in
      let piece = bytes.dropFirst(position).prefix(min(buffer.count, 5))
      buffer.copyBytes(from: piece)
      return piece.count
    }
    let member = try #require(try archive.next())
    for count in [0, 1, 4, 50] {
      #expect(archive.head(of: member, count: count) == Array(Self.contents[0].prefix(count)))
    }
    for _ in 1...2 {
      var read: [UInt8] = []
      #expect(
        archive.read(member) {
          read += $0; return true
        } == StreamEnding())
      #expect(read == Self.contents[0])
    }
    let many = archive.head(of: member, count: 1 << 20)
    #expect(many == Self.contents[0])
  }

  @Test func `an inner archive that is left unread, or half read, loses no file after it`() throws {
    for bytes in Self.forms {
      for membersRead in 0...3 {
        var rest = bytes[...]
        let archive = ZipArchive { buffer in
          let piece = rest.prefix(min(buffer.count, 11))
          buffer.copyBytes(from: piece)
          rest = rest.dropFirst(piece.count)
          return piece.count
        }
        var names: [String] = []
        while let member = try archive.next() {
          names.append(member.name)
          guard member.name == "inner.zip" else { continue }
          let inner = try archive.archive(in: member)
          for _ in 0..<membersRead { _ = try inner.next() }
        }
        #expect(names == ["first", "inner.zip", "last"])
        #expect(archive.warnings.isEmpty)
      }
    }
  }

  @Test(arguments: forms.indices)
  func `cut at any byte, no file is wrong, and none that is complete is lost`(form: Int) throws {
    let bytes = Self.forms[form]
    let whole = try Self.stream(bytes).filter { !$0.bytes.isEmpty }
    for length in 0..<bytes.count {
      let cut = Array(bytes[..<length])
      for read in [try Self.file(cut), try Self.stream(cut)] {
        let files = read.filter { !$0.name.hasSuffix(".zip") }
        for (file, original) in zip(files, whole) {
          #expect(file.name == original.name)
          #expect(original.bytes.starts(with: file.bytes))
          #expect(file.ending.error == nil)
        }
        // Only the last one found may be incomplete, and that is reported.
        #expect(zip(files, whole).dropLast().allSatisfy { $0 == $1 })
        if let last = files.last, last != whole[files.count - 1] {
          #expect(last.ending.warnings.map(\.code) == [.truncated])
        }
      }
    }
  }

  @Test func `an inner archive without a complete directory is reported, deflated or in a pipe`()
    throws
  {
    let start = ZipBuilder([]).build().bytes.count
    for missing in [1, start, start + 20] {
      let cut = Array(Self.inner.dropLast(missing))
      for isDeflated in [true, false] {
        var inner = ZipBuilder.File("inner.zip", cut)
        inner.isDeflated = isDeflated
        let bytes = ZipBuilder([inner, ZipBuilder.File("last", Self.contents[2])]).build().bytes
        for read in [try Self.file(bytes), try Self.stream(bytes)] {
          #expect(
            read.map(\.name)
              == ["inner.zip/a", "inner.zip/b", "inner.zip/c", "inner.zip", "last"])
          #expect(read.map(\.ending.warnings.count) == [0, 0, 0, 1, 0])
          #expect(read[3].ending.warnings.first?.code == .truncated)
        }
      }
    }
  }

  @Test(arguments: Seeds.sample(20))
  func `a flipped bit in an archive in an archive is detected or harmless`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for form in Self.forms {
      for _ in 0..<15 {
        var damaged = form
        let at = Int.random(in: 0..<damaged.count, using: &random)
        damaged[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        for read in [try? Self.file(damaged), try? Self.stream(damaged)] {
          for file in read ?? [] where file.ending == StreamEnding() && !file.bytes.isEmpty {
            // A bit in a name, a signature or a flag may make the archive look like any file.
            #expect((Self.contents + [Self.inner]).contains(file.bytes))
          }
        }
        #expect((try? Self.stream(damaged, pieces: 3)) == (try? Self.stream(damaged)))
        #expect((try? Self.file(damaged, pieces: 3)) == (try? Self.file(damaged)))
      }
    }
  }

  // MARK: - Bombs

  /// A file of 15 MB of blanks, which deflate to 15 KB.
  private static let blanks = ZipBuilder.File("blanks", [UInt8](repeating: 0x20, count: 15 << 20))

  @Test func `archives of blanks in an archive share one limit, from a file and a stream`() throws {
    // Each inner archive may expand to 16 MiB for itself; deflated again it has about 100 bytes.
    let inner = ZipBuilder([Self.blanks]).build().bytes
    let bytes = ZipBuilder((0..<20).map { ZipBuilder.File("\($0).zip", inner) }).build().bytes
    #expect(bytes.count < 1 << 16)
    let limit = ExpansionLimit.bytes(from: bytes.count)
    for read in [try Self.file(bytes), try Self.stream(bytes)] {
      let expanded = read.reduce(0) { $0 + $1.bytes.count }
      #expect(expanded <= limit + InflateStream.bufferBytes)
      #expect(read.contains { $0.ending.error?.code == .tooLarge })
      #expect(expanded < 20 * 15 << 20)
    }
  }

  @Test func `many small files in a stream share one limit`() throws {
    let bytes = ZipBuilder(Array(repeating: Self.blanks, count: 9)).build().bytes
    for read in [try Self.file(bytes), try Self.stream(bytes)] {
      let expanded = read.reduce(0) { $0 + $1.bytes.count }
      #expect(expanded <= ExpansionLimit.bytes(from: bytes.count) + InflateStream.bufferBytes)
      #expect(read.first?.ending == StreamEnding())
      #expect(read.last?.ending.error?.code == .tooLarge)
    }
  }

  @Test(arguments: [Int.max, Int.max - 70_000, 1 << 62, 1 << 20])
  func `a stored archive longer than the file that it is in is read as far as there are bytes`(
    length: Int
  ) throws {
    // Its local header is in the comment, behind the directory.
    var archive = ZipBuilder([ZipBuilder.File("a", Array(repeating: 0x61, count: 70_000))])
    archive.files[0].isDeflated = false
    var claimed = ZipBuilder.File("b.zip", Self.inner)
    (claimed.isDeflated, claimed.isZip64) = (false, true)
    archive.files.append(claimed)
    archive.comment = [0x50, 0x4B, 3, 4] + Array(repeating: 0, count: 26) + Self.inner
    var bytes = archive.build().bytes
    let comment = bytes.count - archive.comment.count
    // Both sizes and the offset are the last three numbers of the directory, in front of the end
    // records of 56, 20 and 22 bytes.
    for (place, number) in [length, length, comment].enumerated() {
      let at = comment - 98 - 24 + 8 * place
      withUnsafeBytes(of: number.littleEndian) { bytes.replaceSubrange(at..<at + 8, with: $0) }
    }
    let read = try Self.file(bytes)
    #expect(read.map(\.name).first == "a")
    #expect(read.first?.bytes.count == 70_000)
    #expect(read.map(\.name).contains("b.zip"))
  }

  // MARK: - Files that only the directory describes

  @Test func `a stored file whose length follows it is read only in a stored archive of a file`()
    throws
  {
    var file = ZipBuilder.File("a", Self.contents[0])
    file.isDeflated = false
    file.descriptor = (true, 4)
    let inner = ZipBuilder([file, ZipBuilder.File("b", Self.contents[1])]).build().bytes
    var stored = ZipBuilder.File("inner.zip", inner)
    stored.isDeflated = false
    let kept = try Self.file(ZipBuilder([stored]).build().bytes)
    #expect(kept.map(\.bytes) == [Self.contents[0], Self.contents[1], []])
    let deflated = try Self.file(ZipBuilder([ZipBuilder.File("inner.zip", inner)]).build().bytes)
    #expect(deflated.map(\.name) == ["inner.zip/a", "inner.zip"])
    #expect(deflated[0].ending.error?.message.contains("unpack") == true)
    #expect(deflated[1].ending.warnings.map(\.code) == [.truncated])
  }
}
