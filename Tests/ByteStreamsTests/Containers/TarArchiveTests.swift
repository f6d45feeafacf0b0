import Foundation
import TestSupport
import Testing

@testable import ByteStreams

/// Tar archives, made by the system's tar.
@Suite struct TarArchiveTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// What was read of an archive.
  private struct Reading: Equatable {
    var files: [String: [UInt8]] = [:]
    var names: [String] = []
    var endings: [StreamEnding] = []
    var warnings: [StreamWarning] = []
    var failure: StreamError?

    /// Reads an archive whose bytes come in pieces of one size.
    init(_ bytes: [UInt8], pieces: Int = .max, gzip isGzip: Bool = false) {
      var rest = bytes[...]
      func source(_ buffer: UnsafeMutableRawBufferPointer) throws(StreamError) -> Int {
        let piece = rest.prefix(min(buffer.count, pieces))
        buffer.copyBytes(from: piece)
        rest = rest.dropFirst(piece.count)
        return piece.count
      }
      let gzip = GzipSource { (buffer) throws(StreamError) in try source(buffer) }
      let archive = TarArchive { (buffer) throws(StreamError) in
        try isGzip ? gzip.read(into: buffer) : source(buffer)
      }
      do {
        while let member = try archive.next() {
          names.append(member.name)
          if member.isSparse { continue }
          var contents: [UInt8] = []
          let ending = archive.read {
            contents += $0
            return true
          }
          endings.append(ending)
          files[member.name] = contents
          if ending == StreamEnding() { #expect(contents.count == member.byteCount) }
        }
      } catch {
        failure = error
      }
      warnings = archive.warnings
    }
  }

  private static let long = String(repeating: "long/", count: 30) + "file.txt"
  private static let longest = String(repeating: "a folder/", count: 40) + "Straße 東京.txt"

  /// Writes files of many sizes, and returns their contents.
  private func writeFiles(_ names: [String]) throws -> [String: [UInt8]] {
    var files: [String: [UInt8]] = [:]
    for (index, name) in names.enumerated() {
      let size = [0, 1, 511, 512, 513, 70_000, 1_024][index % 7]
      files[name] = Array(SampleBytes.text(lines: 1 + size / 60, seed: index).prefix(size))
      try folder.write(files[name] ?? [], to: name)
    }
    return files
  }

  @Test(.enabled(if: TarProgram.isGNU), arguments: ["ustar", "pax", "gnu"])
  func `files are read in every format that tar writes`(format: String) throws {
    var names = ["empty", "b.txt", "c/d.txt", "e", "f", "c/g", "h", "ü.txt"]
    names.append(Self.long)
    if format != "ustar" { names.append(Self.longest) }
    let files = try writeFiles(names)
    // The longest target of a link that POSIX had at first is 100 bytes.
    let far = format == "ustar" ? "b.txt" : Self.long
    for (link, target) in [("link", "b.txt"), ("far", far)] {
      try FileManager.default.createSymbolicLink(
        atPath: folder.file(link), withDestinationPath: target)
    }
    try FileManager.default.linkItem(atPath: folder.file("b.txt"), toPath: folder.file("same"))
    let archive = try TarProgram.pack(
      ["c", "link", "far", "same"] + names.filter { !$0.hasPrefix("c/") }, in: folder,
      "--format=\(format)")
    #expect(TarArchive.begins(with: Array(archive.prefix(512))))
    for pieces in [Int.max, 1_000, 1] {
      let reading = Reading(archive, pieces: pieces)
      #expect(reading.failure == nil && reading.warnings.isEmpty)
      // The second name of the same file is a link to the first.
      #expect(
        Set(reading.names) == Set(names).subtracting(["b.txt"]).union(["same"]),
        "\(pieces)")
      for (name, contents) in files where name != "b.txt" {
        #expect(reading.files[name] == contents, "\(name)")
      }
      #expect(reading.files["same"] == files["b.txt"])
    }
    #expect(Reading(Deflate.gzip(archive), gzip: true) == Reading(archive))
  }

  @Test(.enabled(if: TarProgram.isGNU), arguments: ["gnu", "pax"])
  func `a sparse file is named, and the files after it are read`(format: String) throws {
    try folder.write("first", to: "a")
    let path = try folder.write("x", to: "holes")
    let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    // Enough parts for blocks that continue the map of a GNU header.
    for part in 1...40 {
      try file.seek(toOffset: UInt64(part) << 20)
      try file.write(contentsOf: Data("part".utf8))
    }
    try file.close()
    try folder.write("last", to: "z")
    let archive = try TarProgram.pack(
      ["a", "holes", "z"], in: folder, "-S", "--format=\(format)")
    #expect(archive.count < 1 << 20)
    let reading = Reading(archive)
    #expect(reading.failure == nil && reading.warnings.isEmpty)
    #expect(reading.files == ["a": Array("first".utf8), "z": Array("last".utf8)])
    #expect(reading.names == ["a", "holes", "z"])
  }

  @Test(.enabled(if: TarProgram.isGNU), arguments: ["gnu", "pax"])
  func `a name whose first part ends in a slash is that of a file`(format: String) throws {
    let name = String(repeating: "f", count: 99) + "/file.txt"
    let files = try writeFiles(["empty", "a", name, "z"])
    let archive = try TarProgram.pack(["empty", "a", name, "z"], in: folder, "--format=\(format)")
    #expect(Reading(archive).files == files)
  }

  @Test(.enabled(if: TarProgram.isGNU))
  func `labels and lists of folders are passed over, and name nothing else`() throws {
    let name = String(repeating: "d", count: 150)
    let files = try writeFiles(["\(name)/e", "\(name)/a"])
    let snapshot = try TemporaryFolder()
    let archive = try TarProgram.pack(
      [name], in: folder, "--format=gnu", "-V", "A label", "-g", snapshot.file("s"))
    #expect(TarArchive.begins(with: Array(archive.prefix(512))))
    let reading = Reading(archive)
    #expect(reading.failure == nil && reading.files == files)
  }

  @Test func `the present folder is not part of the names`() throws {
    let files = try writeFiles(["a", "b/c"])
    #expect(Reading(try TarProgram.pack(["."], in: folder)).files == files)
    #expect(Reading(try TarProgram.pack(["./b", "./a"], in: folder)).names == ["b/c", "a"])
  }

  @Test func `an archive cut off at any byte gives the files before the cut`() throws {
    let names = ["a.txt", "b/c.txt", "d", "e"]
    let files = try writeFiles(names)
    let archive = try TarProgram.pack(names, in: folder)
    let whole = Reading(archive)
    #expect(whole.files == files && whole.names == names)
    let end = try #require(archive.lastIndex { $0 != 0 }) / 512 * 512 + 512
    for count in 1..<end {
      let reading = Reading(Array(archive[..<count]))
      #expect(reading.failure == nil)
      #expect(reading.names == Array(names.prefix(reading.names.count)))
      for (index, name) in reading.names.enumerated() {
        let isLast = index == reading.names.count - 1
        let contents = try #require(reading.files[name])
        if isLast, reading.endings[index] != StreamEnding() {
          #expect(files[name]?.starts(with: contents) == true)
        } else {
          #expect(contents == files[name])
        }
      }
      #expect(reading.warnings.map(\.code) == [.truncated], "\(count)")
    }
    let packed = Deflate.gzip(archive)
    for count in 1..<packed.count {
      let reading = Reading(Array(packed[..<count]), gzip: true)
      #expect(reading.failure == nil)
      for (name, contents) in reading.files {
        #expect(files[name]?.starts(with: contents) == true)
      }
    }
  }

  /// The names in an archive whose files are passed over, and how many of its bytes were read.
  private func list(
    _ bytes: [UInt8], seeks: Bool
  ) -> (names: [String], warnings: [StreamWarning], failure: StreamError?, bytesRead: Int) {
    var (place, bytesRead) = (0, 0)
    func read(
      _ position: Int, _ buffer: UnsafeMutableRawBufferPointer
    ) throws(StreamError) -> Int {
      let piece = bytes.dropFirst(position).prefix(buffer.count)
      buffer.copyBytes(from: piece)
      place += piece.count
      bytesRead += piece.count
      return piece.count
    }
    let archive =
      seeks
      ? TarArchive(byteCount: bytes.count) { (position, buffer) throws(StreamError) in
        try read(position, buffer)
      }
      : TarArchive { (buffer) throws(StreamError) in try read(place, buffer) }
    var names: [String] = []
    do {
      while let member = try archive.next() { names.append(member.name) }
    } catch {
      return (names, archive.warnings, error, bytesRead)
    }
    return (names, archive.warnings, nil, bytesRead)
  }

  @Test func `in a file, what is passed over is not read`() throws {
    let names = ["a", "large", "z"]
    _ = try writeFiles(["a", "z"])
    try folder.write([UInt8](repeating: 7, count: 4 << 20), to: "large")
    let archive = try TarProgram.pack(names, in: folder)
    let (listed, all) = (list(archive, seeks: true), list(archive, seeks: false))
    #expect(listed.names == names && listed.warnings.isEmpty && listed.failure == nil)
    #expect(all.names == names && all.bytesRead > 4 << 20)
    #expect(listed.bytesRead <= 3 << 16, "\(listed.bytesRead) bytes were read")
    // A cut anywhere is noticed as in a stream.
    for count in Array(stride(from: 1, to: archive.count, by: 30_011)) + [archive.count - 1] {
      let cut = Array(archive[..<count])
      let (listed, all) = (list(cut, seeks: true), list(cut, seeks: false))
      #expect(listed.names == all.names && listed.warnings == all.warnings, "\(count)")
      #expect(listed.failure == all.failure, "\(count)")
    }
    let small = try TarProgram.pack(["a", "z"], in: folder)
    for count in small.indices {
      let cut = Array(small[..<count])
      let (listed, all) = (list(cut, seeks: true), list(cut, seeks: false))
      #expect(listed.names == all.names && listed.warnings == all.warnings, "\(count)")
    }
  }

  @Test func `a damaged header ends the archive, and the files before it are read`() throws {
    let names = ["a", "b", "c"]
    let files = try writeFiles(names)
    let archive = try TarProgram.pack(names, in: folder, "--format=ustar")
    // The header of `c` follows the one of `b` and a block with its byte.
    let header = 3 * 512
    #expect(archive[header] == UInt8(ascii: "c"))
    for index in 0..<512 {
      var damaged = archive
      damaged[header + index] ^= 0x10
      let reading = Reading(damaged)
      #expect(reading.files["a"] == files["a"] && reading.files["b"] == files["b"])
      // A checksum may begin with blanks, and anything may follow it.
      if !(148..<156).contains(index) { #expect(reading.failure?.code == .malformed, "\(index)") }
    }
  }

  @Test func `sizes may be binary, and what is no size is refused`() throws {
    try folder.write("12345", to: "a")
    let block = Array(try TarProgram.pack(["a"], in: folder, "--format=ustar").prefix(512))
    func entry(size: [UInt8]) -> TarEntry? {
      var changed = block
      changed.replaceSubrange(124..<136, with: size)
      changed.replaceSubrange(148..<156, with: [UInt8](repeating: 0x20, count: 8))
      let sum = String(changed.reduce(0) { $0 + Int($1) }, radix: 8)
      let digits = String(repeating: "0", count: 6 - sum.count) + sum + "\0 "
      changed.replaceSubrange(148..<156, with: Array(digits.utf8))
      return TarEntry(changed)
    }
    #expect(TarEntry(block)?.byteCount == 5)
    #expect(entry(size: Array("00000000017\0".utf8))?.byteCount == 15)
    #expect(entry(size: Array("        17 \0".utf8))?.byteCount == 15)
    #expect(entry(size: [0x80] + [0, 0, 0] + [0, 0, 0, 2, 0, 0, 0, 1])?.byteCount == 1 << 33 + 1)
    #expect(entry(size: [UInt8](repeating: 0xFF, count: 12)) == nil)
    #expect(entry(size: [0x80, 1] + [UInt8](repeating: 0, count: 10)) == nil)
    #expect(entry(size: [0x80, 0, 0, 0, 0x80] + [UInt8](repeating: 0, count: 7)) == nil)
    #expect(entry(size: Array("0000000001x\0".utf8)) == nil)
    #expect(entry(size: [UInt8](repeating: 0, count: 12))?.byteCount == 0)
  }

  @Test func `an error of reading ends the archive with that error`() throws {
    let names = ["a", "b", "c"]
    _ = try writeFiles(names)
    let archive = try TarProgram.pack(names, in: folder, "--format=ustar")
    let error = StreamError(code: .unreadable, message: "It cannot be read.")
    // In a header, in the contents of `c`, and between them.
    for place in [100, 3 * 512, 3 * 512 + 100, 4 * 512 + 100] {
      var position = 0
      let broken = TarArchive { (buffer) throws(StreamError) in
        guard position < place else { throw error }
        let piece = archive[position..<place].prefix(buffer.count)
        buffer.copyBytes(from: piece)
        position += piece.count
        return piece.count
      }
      #expect(throws: error, "\(place)") {
        while try broken.next() != nil { _ = broken.read { _ in true } }
      }
    }
  }

  @Test func `records follow their format or are refused`() throws {
    #expect(TarRecords(Array("10 path=a\n12 size=123\n".utf8))?.path == "a")
    #expect(TarRecords(Array("10 path=a\n12 size=123\n".utf8))?.byteCount == 123)
    #expect(TarRecords([]) != nil)
    #expect(TarRecords(Array("8 path=\n".utf8))?.path == nil)
    #expect(TarRecords(Array("22 GNU.sparse.major=1\n".utf8))?.isSparse == true)
    for text in [
      "11 path=a\n", "8 path=a\n", "x path=a\n", "10 path=a", "10 pathxa\n", "1 ", "0 a=\n",
      "12 size=-12\n", "9999999999 path=a\n", " path=a\n",
      "5008 path=\(String(repeating: "a", count: 4_997))\n",
    ] {
      #expect(TarRecords(Array(text.utf8)) == nil, "\(text)")
    }
  }
}
