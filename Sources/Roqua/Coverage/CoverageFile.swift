import ByteStreams
import Foundation
import GridHash
import TrackIngest

/// A coverage file in memory, with its checksum proven. `docs/formats/coverage.md` has the layout.
///
/// ```swift
/// let file = try CoverageFile(url: URL(filePath: "friend.coverage"))
/// if file.grid == .standard {
///   print(try explorer.importCoverage(file).cellsAdded)
/// }
/// ```
///
/// - Memory: the bytes of the file, and less than a MiB while it is read.
public struct CoverageFile: Sendable {
  /// The path as given; `-` for standard input.
  public let path: String
  /// SHA-256 of the bytes, 64 hexadecimal digits in lower case.
  public let sha256: String
  /// The grid of its cells.
  public let grid: Grid
  /// Its cells.
  public let cells: Int
  /// Number of its bytes.
  public let byteCount: Int
  /// All of it, in pieces, so that nothing is copied as it grows.
  private let pieces: [[UInt8]]

  /// Bytes that a file may have: 256 MiB. `docs/formats/coverage.md` derives the number.
  package static let largestSize = 256 << 20

  /// Bytes that are read at once, and kept in one piece.
  private static let pieceSize = 1 << 18

  /// Reads a file; `-` is standard input.
  ///
  /// Bytes are checked as they arrive: the first one that is wrong ends the reading.
  /// - Throws: ``ExplorerError/file(path:reason:)`` where it cannot be read or is larger than
  ///   `largestSize`, ``ExplorerError/coverageFile(path:_:)`` where it is no coverage or a
  ///   damaged one: every tile is looked at.
  public init(path: String) throws {
    try self.init(path: path, largestSize: Self.largestSize)
  }

  /// Reads a file of at most as many bytes.
  init(path: String, largestSize: Int) throws {
    var reader = CoverageStreamReader()
    var hash = SHA256()
    var pieces: [[UInt8]] = []
    var byteCount = 0
    try Self.read(path) { (bytes) throws in
      byteCount += bytes.count
      guard byteCount <= largestSize else {
        throw ExplorerError.file(
          path: path,
          reason: "larger than \(largestSize >> 20) MiB, the most that a coverage may have")
      }
      hash.update(bytes)
      try Self.checking(path) { () throws(CoverageFormatError) in
        reader.append(bytes)
        while try reader.next() != nil {}
      }
      Self.append(bytes, to: &pieces)
    }
    try Self.checking(path) { () throws(CoverageFormatError) in try reader.finish() }
    guard let grid = reader.grid else {
      throw ExplorerError.coverageFile(path: path, .notACoverage)
    }
    self.path = path
    self.grid = grid
    self.pieces = pieces
    self.byteCount = byteCount
    cells = reader.cellCount
    sha256 = hash.finalizeHexadecimal()
  }

  /// Hands out the tiles, in the order of their keys.
  ///
  /// - Memory: one tile and one piece.
  func forEachTile<Failure: Error>(
    _ body: (Int64, Tile) throws(Failure) -> Void
  ) throws(Failure) {
    var reader = CoverageStreamReader()
    for piece in pieces {
      piece.withUnsafeBytes { reader.append($0) }
      // The form was proven when the file was read, and bytes do not change.
      while let (key, tile) = try? reader.next() { try body(key, tile) }
    }
  }

  // MARK: - Reading

  /// Hands out the bytes of a file in pieces, as they arrive.
  private static func read(
    _ path: String, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw ExplorerError.file(path: path, reason: String(cString: strerror(errno)))
    }
    defer { if path != "-" { close(descriptor) } }
    // Sound: `read` writes at most `chunk.count` bytes, and `body` keeps no pointer; the chunk is
    // freed at the end of this function.
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: pieceSize, alignment: 16)
    defer { chunk.deallocate() }
    while true {
      let count = Foundation.read(descriptor, chunk.baseAddress, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else {
        throw ExplorerError.file(path: path, reason: String(cString: strerror(errno)))
      }
      if count == 0 { return }
      try body(UnsafeRawBufferPointer(rebasing: chunk[..<count]))
    }
  }

  /// Fills the last piece, then begins another.
  private static func append(_ bytes: UnsafeRawBufferPointer, to pieces: inout [[UInt8]]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      if pieces.last.map({ $0.count == pieceSize }) ?? true {
        pieces.append([])
        pieces[pieces.count - 1].reserveCapacity(pieceSize)
      }
      let part = rest.prefix(pieceSize - pieces[pieces.count - 1].count)
      pieces[pieces.count - 1].append(contentsOf: part)
      rest = rest.dropFirst(part.count)
    }
  }

  /// Says of which file an error of the form is.
  private static func checking(
    _ path: String, _ body: () throws(CoverageFormatError) -> Void
  ) throws {
    do {
      try body()
    } catch {
      throw ExplorerError.coverageFile(path: path, error)
    }
  }
}

extension CoverageFormatError {
  /// What is wrong, for a person, after the file's name.
  var explanation: String {
    switch self {
    case .notACoverage: "not a coverage file"
    case .unsupportedVersion(let version):
      "a coverage file of a newer form (\(version)); update Roqua"
    case .truncated: "a damaged coverage file: it is cut short; nothing was stored"
    case .checksumMismatch: "a damaged coverage file: its checksum is wrong; nothing was stored"
    case .malformed(let offset):
      "a damaged coverage file: byte \(offset) is not what it should be; nothing was stored"
    }
  }
}
