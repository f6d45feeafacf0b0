import BenchmarkSupport
import Foundation
import GeoStore
import Geodesy
import GridHash
import Roqua

/// Times statistics by country of 10 million cells, and prints bytes per cell in memory, in a file
/// and in a store.
func benchmarkGround(rounds: Int) throws {
  let folder = FileManager.default.temporaryDirectory
    .appending(path: "roqua-benchmark-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  let path = folder.appending(path: "s.sqlite").path
  let explorer = try Explorer(storePath: path)

  var random = SplitMix64(seed: 3)
  var coverage = Coverage()
  // Europe, with its borders and coasts.
  while coverage.count < 10_000_000 {
    coverage.mark(
      contentsOf: track(10_000, latitude: 38...58, longitude: -5...30, using: &random))
  }
  var times: [Double] = []
  var rows = 0
  for _ in 0..<rounds {
    var shares: [GroundShare] = []
    times.append(Clock.wallSeconds { shares = explorer.shares(of: coverage, by: .country) })
    rows = shares.count
    check(shares.reduce(0) { $0 + $1.ground.cells } == coverage.count, "cells by country")
    let area = shares.reduce(0) { $0 + $1.ground.areaSquareKilometers }
    check(abs(area / coverage.areaSquareKilometers - 1) < 1e-9, "area by country")
  }
  say(
    "statistics by country of \(coverage.count) cells, \(rounds) rounds")
  say("  \(rows) rows        \(text(median(times) * 1000, 0)) ms")
  for level in [PlaceLevel.region, .city] {
    var shares: [GroundShare] = []
    let once = Clock.wallSeconds { shares = explorer.shares(of: coverage, by: level) }
    check(shares.reduce(0) { $0 + $1.ground.cells } == coverage.count, "cells by \(level)")
    say("  by \(level), once  \(text(once * 1000, 0)) ms for \(shares.count) rows")
  }
  // Total land areas alone: a disc in each of a thousand cities, with cells of 75 m and of 5 m.
  for radius in [150.0, 10] {
    var discs = Coverage(grid: try Grid(explorationRadiusMeters: radius))
    let step = explorer.geocoder.cityCount / 1_000
    for number in stride(from: 0, to: explorer.geocoder.cityCount, by: step) {
      guard let city = explorer.geocoder.city(number),
        let center = explorer.geocoder.coordinate(of: city)
      else { continue }
      discs.mark(discAround: center)
    }
    for level in PlaceLevel.allCases {
      var rows = 0
      let once = Clock.wallSeconds { rows = explorer.shares(of: discs, by: level).count }
      say(
        "  discs of \(text(radius, 0)) m in cities of the whole world, by \(level): "
          + "\(text(once * 1000, 0)) ms, \(text(once * 1000 / Double(rows))) ms per row of \(rows)")
    }
  }

  // A store with one source of cells contains each tile twice: with the source and in the sum.
  try explorer.store.checkpoint()
  func size() throws -> Int {
    try explorer.store.checkpoint()
    return try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
  }
  let empty = try size()
  let file = folder.appending(path: "c.rqcv")
  let serial = coverage.serialized()
  try Data(serial).write(to: file)
  let seconds = try Clock.wallSeconds {
    _ = try explorer.importCoverage(CoverageFile(url: file))
  }
  let stored = Double(try size() - empty) / 2
  let cells = Double(coverage.count)
  say("bytes per cell of \(coverage.count) along tracks at 38–58° N")
  say("  in memory        \(text(Double(coverage.memoryBytes) / cells, 2))")
  say("  in a store       \(text(stored / cells, 2))")
  say("  in a file        \(text(Double(serial.count) / cells, 2))")
  say("  (imported into the store in \(text(seconds, 2)) s)")
}
