import Foundation
import Geodesy
import TestSupport
import Testing

@testable import GridHash

/// The formulas of `docs/growth.md`.
@Suite struct GrowthTests {
  @Test(arguments: [0.0, 45, 60])
  func `straight tracks in many directions grow as the formulas predict`(latitude: Double) throws {
    let cosine = cos(latitude * .pi / 180)
    let (length, width) = (200.0, 0.3)
    let height = 64 * 0.07513
    let tilesExpected =
      1 + (length + width) * 2 / .pi * (1 / height + 1 / (height * cosine))
      + length * width / (height * height * cosine)
    let cellsExpected = length * width / (0.005645 * cosine)
    let bytesExpected = 15 * tilesExpected + 2 * 2 / .pi * length / 0.07513

    var (cells, tiles, bytes, memory) = (0, 0, 0, 0)
    let directions = 12
    for direction in 0..<directions {
      // Directions that are not multiples of each other, through an arbitrary point.
      let heading = (Double(direction) + 0.37) * .pi / Double(directions)
      var coverage = Coverage()
      for step in 0..<Int(length / 0.05) {
        // The middle of the track is at the given latitude, which is therefore the mean latitude.
        let kilometers = Double(step) * 0.05 - length / 2
        let degrees = kilometers / 111.195
        coverage.mark(
          discAround: Coordinate(
            latitude + degrees * Foundation.cos(heading), 10 + degrees * sin(heading) / cosine))
      }
      cells += coverage.count
      tiles += coverage.tileCount
      bytes += coverage.tiles.reduce(0) { $0 + $1.tile.serialized().count }
      memory += coverage.memoryBytes
    }
    let count = Double(directions)
    // Each end of the strip has half a disc beyond the track; rows consist of whole cells.
    #expect(abs(Double(cells) / count / cellsExpected - 1) < 0.02)
    #expect(abs(Double(tiles) / count / tilesExpected - 1) < 0.05)
    #expect(Double(bytes) / count < bytesExpected && Double(bytes) / count > 0.6 * bytesExpected)
    let bandHeight = height / 4
    let bandsExpected =
      1 + (length + width) * 2 / .pi * (1 / bandHeight + 1 / (height * cosine))
      + length * width / (bandHeight * height * cosine)
    // Chunks hold 16 bands; the last one may be nearly empty.
    #expect(Double(memory) / count <= 145 * (bandsExpected * 1.05 + 16))
  }

  /// The most expensive case: a single track as straight as a ship's, with mostly empty tiles.
  @Test(arguments: [0.0, 20, 45, 60])
  func `a single straight track takes at most 2.5 bytes of memory per cell`(latitude: Double)
    throws
  {
    let cosine = cos(latitude * .pi / 180)
    var (worst, bytes, cells, bands) = (0.0, 0, 0, 0)
    let directions = 24
    for direction in 0..<directions {
      let heading = (Double(direction) + 0.37) * .pi / Double(directions)
      var coverage = Coverage()
      for step in 0..<10_000 {
        // 1 000 km with a fix every 100 m; the middle of the track is at the given latitude.
        let degrees = (Double(step) * 0.1 - 500) / 111.195
        coverage.mark(
          discAround: Coordinate(
            latitude + degrees * Foundation.cos(heading), 10 + degrees * sin(heading) / cosine))
      }
      worst = max(worst, Double(coverage.memoryBytes) / Double(coverage.count))
      bytes += coverage.memoryBytes
      cells += coverage.count
      bands += coverage.table.state.pointee.count
    }
    #expect(worst <= 2.5, "\(worst)")
    #expect(Double(bytes) / Double(cells) < 2.35)
    if ProcessInfo.processInfo.environment["MEASURE"] != nil {
      print(
        "straight at \(latitude)°: \(Double(bytes) / Double(cells)), at most \(worst) bytes a "
          + "cell; \(cells / directions) cells, \(bands / directions) bands, \(bytes / directions) "
          + "bytes")
    }
  }
}
