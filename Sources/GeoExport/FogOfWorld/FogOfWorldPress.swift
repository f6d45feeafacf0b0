import ByteStreams
import Dispatch
import Foundation
import Geodesy

/// Makes the files of tiles of Fog of World on all cores.
///
/// - Memory: for each core, up to four tiles before and after they are compressed, and about
///   400 KiB.
final class FogOfWorldPress {
  /// The tiles that a worker compresses before all wait for each other.
  private static let tilesAtOnce = 4

  private let country: @Sendable (Coordinate) -> String?
  private let workers: [Worker]

  /// A thread's stream and what it has compressed.
  ///
  /// `@unchecked Sendable` is sound: during a batch only one iteration uses a worker, and between
  /// batches only the press does.
  private final class Worker: @unchecked Sendable {
    let stream: DeflateStream
    var files: [[UInt8]] = []

    init() throws(StreamError) { stream = try DeflateStream(.zlib) }
  }

  /// Creates a press.
  ///
  /// - Parameter country: the code of the country at a position (ISO 3166-1 alpha-2); nil for none.
  /// - Throws: ``StreamError`` if there is not enough memory.
  init(country: @escaping @Sendable (Coordinate) -> String?) throws(StreamError) {
    self.country = country
    let count = max(1, min(8, ProcessInfo.processInfo.activeProcessorCount))
    var workers: [Worker] = []
    for _ in 0..<count { workers.append(try Worker()) }
    self.workers = workers
  }

  /// Compresses tiles.
  ///
  /// - Parameter body: gets each tile with the bytes of its file, in the order of the tiles.
  /// - Throws: what `body` throws; then the tiles that follow are left out.
  func compress(
    _ tiles: [FogOfWorldTile],
    _ body: (FogOfWorldTile, [UInt8]) throws(ExportFailure) -> Void
  ) throws(ExportFailure) {
    let (workers, country) = (workers, country)
    let batch = workers.count * Self.tilesAtOnce
    for first in stride(from: 0, to: tiles.count, by: batch) {
      let numbers = first..<min(first + batch, tiles.count)
      DispatchQueue.concurrentPerform(iterations: workers.count) { part in
        let worker = workers[part]
        worker.files = stride(from: first + part, to: numbers.upperBound, by: workers.count).map {
          worker.stream.compress(tiles[$0].bytes(country: country))
        }
      }
      for number in numbers {
        let (place, part) = (number - first).quotientAndRemainder(dividingBy: workers.count)
        try body(tiles[number], workers[part].files[place])
      }
    }
  }
}
