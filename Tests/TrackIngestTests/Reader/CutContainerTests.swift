import ByteStreams
import Geodesy
import TestSupport
import Testing

@testable import TrackIngest

/// Tracks in a truncated gzip stream or zip archive.
@Suite struct CutContainerTests {
  private static let text = Array(
    TrackText.gpx(from: Coordinate(10, 20), count: 12).utf8)

  /// The fixes read from some bytes.
  private static func fixes(_ bytes: [UInt8]) -> [Fix] {
    var reader = TrackReader(now: readingTime)
    bytes.withUnsafeBytes { reader.read($0) }
    _ = reader.finish()
    return reader.takeAccepted().map(\.fix)
  }

  @Test func `a gzip stream truncated anywhere gives only points of the whole track`() {
    let all = Self.fixes(Self.text)
    #expect(all.count == 12)
    let packed = Deflate.gzip(Self.text)
    var counts: Set<Int> = []
    for length in 2..<packed.count {
      var decompressor = Decompressor()
      var bytes: [UInt8] = []
      _ = packed[..<length].withUnsafeBytes { piece in
        decompressor.read(piece) {
          bytes += $0; return true
        }
      }
      _ = decompressor.finish {
        bytes += $0; return true
      }
      let found = Self.fixes(bytes)
      #expect(all.starts(with: found))
      counts.insert(found.count)
    }
    #expect(counts.contains(0) && counts.contains(12) && counts.count > 5)
  }

  @Test func `a zip archive truncated anywhere gives only points of its tracks`() throws {
    let all = Self.fixes(Self.text)
    let (archiveBytes, directoryStart) = ZipBuilder([ZipBuilder.File("a.gpx", Self.text)]).build()
    for length in stride(from: 30, to: directoryStart, by: 7) {
      let cut = archiveBytes[..<length]
      let archive = try ZipArchive(byteCount: length) { position, buffer in
        let piece = cut.dropFirst(position).prefix(buffer.count)
        buffer.copyBytes(from: piece)
        return piece.count
      }
      while let member = try archive.next() {
        var bytes: [UInt8] = []
        _ = archive.read(member) {
          bytes += $0; return true
        }
        #expect(all.starts(with: Self.fixes(bytes)))
      }
    }
  }
}
