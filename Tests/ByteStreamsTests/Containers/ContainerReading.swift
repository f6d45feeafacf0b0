@testable import ByteStreams

/// The decompressed content of a container.
struct Unpacked: Equatable {
  var bytes: [UInt8] = []
  var ending = StreamEnding()
  var largestPiece = 0

  /// Decompresses a stream that is read in pieces of one size.
  static func stream(_ packed: [UInt8], pieces: Int = .max) -> Unpacked {
    var result = Unpacked()
    var decompressor = Decompressor()
    func take(_ piece: UnsafeRawBufferPointer) -> Bool {
      result.bytes += piece
      result.largestPiece = max(result.largestPiece, piece.count)
      return true
    }
    var rest = packed[...]
    while !rest.isEmpty {
      let piece = Array(rest.prefix(pieces))
      rest = rest.dropFirst(piece.count)
      guard piece.withUnsafeBytes({ decompressor.read($0, to: take) }) else { break }
    }
    result.ending = decompressor.finish(to: take)
    return result
  }

  /// Compares all except the sizes of pieces.
  static func == (one: Unpacked, other: Unpacked) -> Bool {
    one.bytes == other.bytes && one.ending == other.ending
  }
}

/// A member of an archive with its content.
struct UnpackedMember: Equatable {
  let name: String
  let isFolder: Bool
  let unpacked: Unpacked
}

/// The content of an archive.
struct UnpackedArchive: Equatable {
  var members: [UnpackedMember] = []
  var warnings: [StreamWarning] = []
  var failure: StreamError?

  /// Reads the members through the central directory.
  static func file(_ bytes: [UInt8], pieces: Int = .max) -> UnpackedArchive {
    read { () throws(StreamError) in
      try ZipArchive(byteCount: bytes.count) { position, buffer in
        let piece = bytes.dropFirst(position).prefix(min(buffer.count, pieces))
        buffer.copyBytes(from: piece)
        return piece.count
      }
    }
  }

  /// Reads the members in order from a stream.
  static func stream(_ bytes: [UInt8], pieces: Int = .max) -> UnpackedArchive {
    var rest = bytes[...]
    return read {
      ZipArchive { buffer in
        let piece = rest.prefix(min(buffer.count, pieces))
        buffer.copyBytes(from: piece)
        rest = rest.dropFirst(piece.count)
        return piece.count
      }
    }
  }

  private static func read(_ open: () throws(StreamError) -> ZipArchive) -> UnpackedArchive {
    var result = UnpackedArchive()
    do {
      let archive = try open()
      while let member = try archive.next() {
        var unpacked = Unpacked()
        unpacked.ending = archive.read(member) { piece in
          unpacked.bytes += piece
          return true
        }
        result.members.append(
          UnpackedMember(name: member.name, isFolder: member.isFolder, unpacked: unpacked))
      }
      result.warnings = archive.warnings
    } catch {
      result.failure = error
    }
    return result
  }

  /// The members that were read without an error.
  var sound: [UnpackedMember] { members.filter { $0.unpacked.ending.error == nil } }
}

enum SampleBytes {
  /// Different lines of text, as in a log.
  static func text(lines: Int, seed: Int = 0) -> [UInt8] {
    var text = "<log version=\"1.1\" xmlns=\"http://www.example.org/log/1\">\n"
    for index in 0..<lines {
      text +=
        "<entry x=\"\(10 + seed).\(100_000 + index * 731)\" y=\"20.\(100_000 + index * 977)\">"
        + "<time>2024-05-01T10:\(10 + index / 50 % 50):\(10 + index % 50)Z</time></entry>\n"
    }
    return Array((text + "</log>\n").utf8)
  }
}
