import ByteStreams
import Dispatch
import FogMap
import Foundation

/// Draws the bands of a scene on all cores and passes them on in order.
///
/// - Memory: some bands for each core, whatever the size of the picture.
final class PicturePress {
  /// The bands that a worker draws before all wait for each other.
  private static let bandsAtOnce = 4

  private let workers: [Worker]

  /// A thread's renderer and what it has made.
  ///
  /// `@unchecked Sendable` is sound: during a batch only one iteration uses a worker, and between
  /// batches only the press does.
  private final class Worker: @unchecked Sendable {
    var renderer: BandRenderer?
    let encoder: PNGStripEncoder
    var strips: [PNGStrip] = []

    init(_ format: PNGFormat, level: Int) throws(StreamError) {
      encoder = try PNGStripEncoder(format, level: level)
    }
  }

  /// Creates a press for pictures of a format: RGB or RGBA.
  ///
  /// - Throws: ``StreamError`` if there is not enough memory.
  init(_ format: PNGFormat, level: Int = 6) throws(StreamError) {
    let count = max(1, min(8, ProcessInfo.processInfo.activeProcessorCount))
    var workers: [Worker] = []
    for _ in 0..<count { workers.append(try Worker(format, level: level)) }
    self.workers = workers
  }

  /// Draws a scene.
  ///
  /// - Parameter body: receives the strips from the top; false stops.
  func print(_ scene: PictureScene, _ body: (PNGStrip) -> Bool) {
    for worker in workers { worker.renderer = BandRenderer(scene) }
    let batch = workers.count * Self.bandsAtOnce
    for first in stride(from: 0, to: scene.bandCount, by: batch) {
      let bands = first..<min(first + batch, scene.bandCount)
      let workers = workers
      DispatchQueue.concurrentPerform(iterations: workers.count) { number in
        let worker = workers[number]
        worker.strips.removeAll(keepingCapacity: true)
        guard let renderer = worker.renderer else { return }
        for band in bands where (band - first) % workers.count == number {
          worker.strips.append(
            renderer.rows(band: band).withUnsafeBytes { worker.encoder.encode($0) })
        }
      }
      for band in bands {
        let place = band - first
        let strip = workers[place % workers.count].strips[place / workers.count]
        guard body(strip) else { return }
      }
    }
  }
}
