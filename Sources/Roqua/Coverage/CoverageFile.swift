import ByteStreams
import Foundation
import GridHash
import TrackIngest

/// A coverage file in memory, with a verified checksum. `docs/formats/coverage.md` describes the
/// layout.
///
/// ```swift
/// let file = try CoverageFile(url: URL(filePath: "friend.coverage"))
/// if file.grid == .standard {
///   print(try await explorer.importCoverage(file).cellsAdded)
/// }
/// ```
///
/// - Memory: the bytes of the file, plus less than a MiB while it is read.
public struct CoverageFile: Sendable {
  /// The path as given; `-` for standard input.
  package let path: String
  /// SHA-256 of the bytes, 64 hexadecimal digits in lower case.
  package let sha256: String
  /// The grid of the cells.
  public let grid: Grid
  /// The number of cells.
  public let cells: Int
  /// The size of the file in bytes.
  package let byteCount: Int
  /// The bytes of the file, in pieces so that growing copies nothing.
  private let pieces: [[UInt8]]

  /// The maximum size of a file: 256 MiB. `docs/formats/coverage.md` derives the number.
  package static let largestSize = 256 << 20

  /// The number of bytes read at once and kept in one piece.
  private static let pieceSize = 1 << 18

  /// Reads a file; `-` is standard input.
  ///
  /// Bytes are checked as they arrive. Reading ends at the first invalid byte.
  /// - Throws: ``ExplorerError/file(path:reason:)`` if the file cannot be read or is larger than
  ///   `largestSize`; ``ExplorerError/coverageFile(path:_:)`` if it is not a coverage file or is
  ///   damaged. Every tile is checked.
  package init(path: String) throws {
    try self.init(path: path, largestSize: Self.largestSize)
  }

  /// Reads a file of at most `largestSize` bytes.
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
          reason: "larger than \(largestSize >> 20) MiB, the limit for a coverage file")
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

  /// Calls `body` with each tile, in the order of the keys.
  ///
  /// - Memory: one tile and one piece.
  func forEachTile<Failure: Error>(
    _ body: (Int64, Tile) throws(Failure) -> Void
  ) throws(Failure) {
    var reader = CoverageStreamReader()
    for piece in pieces {
      piece.withUnsafeBytes { reader.append($0) }
      // The format was checked when the file was read, and the bytes do not change.
      while let (key, tile) = try? reader.next() { try body(key, tile) }
    }
  }

  // MARK: - Reading

  /// Calls `body` with the bytes of a file in pieces, as they arrive.
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

  /// Fills the last piece, then starts new ones.
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

  /// Adds the file's path to a format error.
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
  /// A description of the problem, to follow the file's name.
  var explanation: String {
    switch self {
    case .notACoverage: "not a coverage file"
    case .unsupportedVersion(let version):
      "a coverage file in a newer format (\(version)); update Roqua"
    case .truncated: "a damaged coverage file (cut short); nothing was stored"
    case .checksumMismatch: "a damaged coverage file (wrong checksum); nothing was stored"
    case .malformed(let offset):
      "a damaged coverage file (byte \(offset) is wrong); nothing was stored"
    }
  }
}
