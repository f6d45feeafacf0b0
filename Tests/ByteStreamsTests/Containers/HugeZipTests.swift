import TestSupport
import Testing

@testable import ByteStreams

/// Archives of more than 4 GiB, most of which is not in memory.
@Suite struct HugeZipTests {
  private static let contents = (0..<4).map { SampleBytes.text(lines: 5 + $0, seed: $0) }

  /// An archive in which zeros follow the contents of some files, as a part of them. All numbers
  /// have four bytes, so of greater ones only the lower half is there.
  private struct Archive {
    private(set) var bytes: [UInt8]
    private let zeros: Int
    /// Where in `bytes` the zeros are missing.
    private var gaps: [Int] = []
    /// Where in `bytes` the directory is.
    private let directory: Range<Int>

    var byteCount: Int { bytes.count + zeros * gaps.count }

    /// - Parameter large: the indices of the files that zeros follow.
    init(_ files: [ZipBuilder.File], large: Set<Int>, zeros: Int) {
      self.zeros = zeros
      let (built, start) = ZipBuilder(files).build()
      bytes = built
      directory = start..<built.count - 22
      var at = start
      for (index, file) in files.enumerated() {
        let offset = Int(built.number(at: at + 42, count: 4))
        add(zeros * gaps.count, at: at + 42)
        if large.contains(index) {
          // The compressed and the expanded size in both headers.
          for place in [at + 20, at + 24, offset + 18, offset + 22] { add(zeros, at: place) }
          gaps.append(offset + 30 + file.name.count + file.contents.count)
        }
        at += 46 + file.name.count
      }
      // The end record: the position of the directory.
      add(zeros * gaps.count, at: bytes.count - 22 + 16)
    }

    /// Adds to a number of four bytes, and drops what does not fit.
    private mutating func add(_ value: Int, at index: Int) {
      let sum = Int(bytes.number(at: index, count: 4)) + value
      for place in 0..<4 {
        bytes[index + place] = UInt8(truncatingIfNeeded: sum >> (8 * place))
      }
    }

    /// Lists the files in the directory in the opposite order; their names have 5 bytes.
    mutating func reverseDirectory() {
      let entries = stride(from: directory.lowerBound, to: directory.upperBound, by: 46 + 5).map {
        Array(bytes[$0..<$0 + 46 + 5])
      }
      bytes.replaceSubrange(directory, with: entries.reversed().flatMap { $0 })
    }

    /// Gives the local header of a file another name of the same length.
    mutating func rename(_ name: String, to other: String) {
      let (name, other) = (Array(name.utf8), Array(other.utf8))
      let at = bytes.indices.first { bytes[$0...].starts(with: name) }
      if let at { bytes.replaceSubrange(at..<at + name.count, with: other) }
    }

    func read(_ position: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
      var left = 0
      for gap in gaps {
        let start = gap + left
        if position < start {
          let count = min(start - position, buffer.count)
          buffer.copyBytes(from: bytes.dropFirst(position - left).prefix(count))
          return count
        }
        if position < start + zeros {
          let count = min(start + zeros - position, buffer.count)
          UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(count))
            .initializeMemory(as: UInt8.self, repeating: 0)
          return count
        }
        left += zeros
      }
      let piece = bytes.dropFirst(position - left).prefix(buffer.count)
      buffer.copyBytes(from: piece)
      return piece.count
    }
  }

  private static func stored(_ name: String, _ contents: [UInt8]) -> ZipBuilder.File {
    var file = ZipBuilder.File(name, contents)
    file.isDeflated = false
    return file
  }

  /// Tracks, and videos between them.
  private static let files = [
    ZipBuilder.File("0.gpx", contents[0]), stored("a.mp4", [1]), stored("1.gpx", contents[1]),
    stored("b.mp4", [2]), ZipBuilder.File("2.gpx", contents[2]), stored("c.mp4", [3]),
    ZipBuilder.File("3.gpx", contents[3]),
  ]

  /// The contents of all tracks.
  private static let all: [[UInt8]?] = contents.map { $0 }

  /// The contents of the tracks, with nil where a track is refused.
  private static func tracks(_ archive: Archive) throws -> [[UInt8]?] {
    let reader = try ZipArchive(byteCount: archive.byteCount) { position, buffer in
      archive.read(position, buffer)
    }
    #expect(reader.canReadAgain && reader.warnings.isEmpty)
    var tracks: [[UInt8]?] = []
    while let member = try reader.next() {
      guard member.name.hasSuffix(".gpx") else { continue }
      var bytes: [UInt8] = []
      let ending = reader.read(member) { piece in
        bytes += piece
        return true
      }
      tracks.append(ending.error == nil ? bytes : nil)
    }
    return tracks
  }

  @Test(arguments: [1 << 30, 3 << 30, (1 << 32) - 40, 1 << 32, 5 << 30, 9 << 30])
  func `an archive over 4 GiB without zip64 records is read`(zeros: Int) throws {
    let archive = Archive(Self.files, large: [1, 3, 5], zeros: zeros)
    #expect(try Self.tracks(archive) == Self.all)
  }

  @Test func `an archive whose last file is over 4 GiB is read`() throws {
    let archive = Archive(Self.files, large: [5], zeros: 7 << 30)
    #expect(try Self.tracks(archive) == Self.all)
  }

  @Test(arguments: [3 << 30, 9 << 30])
  func `an archive whose directory has another order than the files is read`(zeros: Int) throws {
    var archive = Archive(Self.files, large: [1, 3, 5], zeros: zeros)
    archive.reverseDirectory()
    #expect(try Self.tracks(archive) == Array(Self.all.reversed()))
  }

  @Test func `the search for files that are not there has a limit`() throws {
    let names = (100..<200).map { "\($0).gpx" }
    var renamed = Archive(names.map { Self.stored($0, [1]) }, large: [0], zeros: 2_000 << 32)
    for name in names { renamed.rename(name, to: "x" + name.dropFirst()) }
    let archive = renamed
    var readCount = 0
    let reader = try ZipArchive(byteCount: archive.byteCount) { position, buffer in
      readCount += 1
      return archive.read(position, buffer)
    }
    var refusedCount = 0
    while let member = try reader.next() {
      let ending = reader.read(member) { _ in true }
      if ending.error != nil { refusedCount += 1 }
    }
    #expect(refusedCount == names.count)
    // Without a limit, there would be 2,000 for each file and pass.
    #expect(readCount > ZipDirectory.furtherLimit)
    #expect(readCount < 2 * ZipDirectory.furtherLimit + 10_000)
  }

  @Test func `a file that is not where the directory says is refused, and others are read`() throws
  {
    var archive = Archive(Self.files, large: [1, 3, 5], zeros: 3 << 30)
    archive.rename("1.gpx", to: "x.gpx")
    let expected: [[UInt8]?] = [Self.contents[0], nil, Self.contents[2], Self.contents[3]]
    #expect(try Self.tracks(archive) == expected)
  }
}
