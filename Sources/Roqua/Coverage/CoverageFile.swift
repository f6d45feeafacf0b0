import Foundation
import GridHash
import TrackIngest

/// A coverage file in memory, with its checksum proven. `docs/formats/coverage.md` has the layout.
public struct CoverageFile: Sendable {
  /// The path as given; `-` for standard input.
  public let path: String
  /// SHA-256 of the bytes, 64 hexadecimal digits in lower case.
  public let sha256: String
  /// The grid of its cells.
  public let grid: Grid
  /// Its cells.
  public let cells: Int
  /// All of it.
  let bytes: [UInt8]

  /// Bytes that a file may have. At 0.3 bytes a cell, which is a lot, that is 3.5 billion cells: 100 times what the most
  /// travelled person has.
  static let largestSize = 1 << 30

  /// Reads a file; `-` is standard input.
  ///
  /// What does not begin like a coverage is read no further.
  /// - Throws: ``ExplorerError/file(path:reason:)`` where it cannot be read, ``ExplorerError/coverageFile(path:_:)``
  ///   where it is no coverage or a damaged one: every tile is looked at.
  public init(path: String) throws(ExplorerError) {
    let bytes = try Self.bytes(of: path)
    do {
      (grid, cells) = try bytes.withUnsafeBytes { raw in
        Result { () throws(CoverageFormatError) in
          var reader = try CoverageReader(raw)
          var cells = 0
          while let (_, tile) = try reader.next() { cells += tile.count }
          return (reader.grid, cells)
        }
      }.get()
    } catch {
      throw .coverageFile(path: path, error)
    }
    var hash = SHA256()
    bytes.withUnsafeBytes { hash.update($0) }
    sha256 = hash.finalizeHexadecimal()
    self.path = path
    self.bytes = bytes
  }

  private static func bytes(of path: String) throws(ExplorerError) -> [UInt8] {
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .file(path: path, reason: String(cString: strerror(errno))) }
    defer { if path != "-" { close(descriptor) } }
    var bytes: [UInt8] = []
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
    defer { chunk.deallocate() }
    while true {
      let count = read(descriptor, chunk.baseAddress, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw .file(path: path, reason: String(cString: strerror(errno))) }
      if count == 0 { return bytes }
      bytes += UnsafeRawBufferPointer(rebasing: chunk[..<count])
      if bytes.count >= 4, !bytes.starts(with: Array("RQCV".utf8)) {
        throw .coverageFile(path: path, .notACoverage)
      }
      guard bytes.count <= largestSize else {
        throw .file(path: path, reason: "larger than 1 GiB, which no coverage is")
      }
    }
  }
}

extension CoverageFormatError {
  /// What is wrong, for a person, after the file's name.
  var explanation: String {
    switch self {
    case .notACoverage: "not a coverage file"
    case .unsupportedVersion(let version): "a coverage file of a newer form (\(version)); update Roqua"
    case .truncated: "a damaged coverage file: it is cut short; nothing was stored"
    case .checksumMismatch: "a damaged coverage file: its checksum is wrong; nothing was stored"
    case .malformed(let offset):
      "a damaged coverage file: byte \(offset) is not what it should be; nothing was stored"
    }
  }
}
