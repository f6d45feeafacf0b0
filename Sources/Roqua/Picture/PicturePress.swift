import ByteStreams
import Dispatch
import FogMap
import Foundation
import GeoStore
import SQLiteLayer

/// Draws the bands of a scene on all cores and passes them on in order.
///
/// - Memory: some bands for each core, whatever the size of the picture.
final class PicturePress {
  /// The bands that a worker draws before all wait for each other.
  private static let bandsAtOnce = 4

  private let workers: [Worker]
  /// The path of the picture, for errors.
  private let path: String

  /// A thread's renderer and what it has made.
  ///
  /// `@unchecked Sendable` is sound: during a batch only one iteration uses a worker, and between
  /// batches only the press does.
  private final class Worker: @unchecked Sendable {
    var renderer: BandRenderer?
    let encoder: PNGStripEncoder
    var strips: [PNGStrip] = []
    var rows: [[UInt8]] = []

    init(_ format: PNGFormat) throws(StreamError) { encoder = try PNGStripEncoder(format) }
  }

  /// Creates a press for pictures of a format: RGB or RGBA.
  ///
  /// - Parameter path: the path of the picture, for errors.
  /// - Throws: ``StreamError`` if there is not enough memory.
  init(_ format: PNGFormat, for path: String) throws(StreamError) {
    self.path = path
    let count = max(1, min(8, ProcessInfo.processInfo.activeProcessorCount))
    var workers: [Worker] = []
    for _ in 0..<count { workers.append(try Worker(format)) }
    self.workers = workers
  }

  /// Draws a scene, and compresses it.
  ///
  /// - Parameter body: receives the strips from the top; false stops.
  /// - Throws: `DatabaseError.interrupted(path:)` if the work is canceled.
  func print(_ scene: PictureScene, _ body: (PNGStrip) -> Bool) throws(DatabaseError) {
    try forEachBatch(scene) { worker, band in
      guard let renderer = worker.renderer else { return }
      worker.strips.append(
        renderer.rows(band: band).withUnsafeBytes { worker.encoder.encode($0) })
    } then: { worker in
      body(worker.strips.removeFirst())
    }
  }

  /// Draws a scene.
  ///
  /// - Returns: three bytes a pixel, row by row from the top.
  /// - Throws: `DatabaseError.interrupted(path:)` if the work is canceled.
  func pixels(_ scene: PictureScene) throws(DatabaseError) -> [UInt8] {
    var pixels: [UInt8] = []
    pixels.reserveCapacity(3 * scene.width * scene.height)
    try forEachBatch(scene) { worker, band in
      if let renderer = worker.renderer { worker.rows.append(renderer.rows(band: band)) }
    } then: { worker in
      pixels += worker.rows.removeFirst()
      return true
    }
    return pixels
  }

  /// Calls `work` with each band on a worker's thread, and then `finish` with the bands' workers in
  /// order.
  private func forEachBatch(
    _ scene: PictureScene, _ work: @Sendable (Worker, Int) -> Void, then finish: (Worker) -> Bool
  ) throws(DatabaseError) {
    for worker in workers { worker.renderer = BandRenderer(scene) }
    let workers = workers
    let batch = workers.count * Self.bandsAtOnce
    for first in stride(from: 0, to: scene.bandCount, by: batch) {
      try Cancellation.checkCurrent(for: path)
      let bands = first..<min(first + batch, scene.bandCount)
      DispatchQueue.concurrentPerform(iterations: workers.count) { number in
        for band in bands where (band - first) % workers.count == number {
          work(workers[number], band)
        }
      }
      for band in bands where !finish(workers[(band - first) % workers.count]) { return }
    }
  }
}
