import Geodesy
import TestSupport
import Testing

@testable import GridHash

@Suite struct ExplorerTileSetTests {
  /// Blobs of tiles of a small map, often at its edges and across ±180°.
  private static func tiles(zoom: Int, using random: inout SplitMix64) -> Set<ExplorerTile> {
    let count = 1 << zoom
    var tiles: Set<ExplorerTile> = []
    for _ in 0..<Int.random(in: 0...5, using: &random) {
      let y =
        [0, count - 4, Int.random(in: 0..<count, using: &random)].randomElement(
          using: &random) ?? 0
      let x =
        [0, count - 2, Int.random(in: 0..<count, using: &random)].randomElement(
          using: &random) ?? 0
      let holes = Int.random(in: 2...20, using: &random)
      let (height, width) = (
        Int.random(in: 1...9, using: &random), Int.random(in: 1...9, using: &random)
      )
      for row in y..<y + height {
        for column in x..<x + width where !Bool.random(oneIn: holes, using: &random) {
          if let tile = ExplorerTile(zoom: zoom, x: column % count, y: row) { tiles.insert(tile) }
        }
      }
    }
    return tiles
  }

  private func square(_ corner: ExplorerTile, _ side: Int) -> [ExplorerTile]? {
    let count = 1 << corner.zoom
    guard corner.y + side <= count, side <= count else { return nil }
    var tiles: [ExplorerTile] = []
    for row in 0..<side {
      for column in 0..<side {
        guard
          let tile = ExplorerTile(
            zoom: corner.zoom, x: (corner.x + column) % count, y: corner.y + row)
        else { return nil }
        tiles.append(tile)
      }
    }
    return tiles
  }

  private func everyTile(_ zoom: Int) -> [ExplorerTile] {
    (0..<1 << zoom).flatMap { y in
      (0..<1 << zoom).compactMap { ExplorerTile(zoom: zoom, x: $0, y: y) }
    }
  }

  private func neighbors(_ tile: ExplorerTile) -> [ExplorerTile] {
    let count = 1 << tile.zoom
    return [(1, 0), (count - 1, 0), (0, 1), (0, -1)].compactMap { east, south in
      ExplorerTile(zoom: tile.zoom, x: (tile.x + east) % count, y: tile.y + south)
    }
  }

  @Test(arguments: Seeds.sample(150))
  func `squares, clusters and growth equal those of a search of every place`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let zoom = Int.random(in: 3...5, using: &random)
    let tiles = Self.tiles(zoom: zoom, using: &random)
    let set = ExplorerTileSet(tiles, zoom: zoom)
    #expect(set.count == tiles.count)
    #expect(Array(set.tiles) == tiles.sorted())
    let all = everyTile(zoom)
    #expect(all.allSatisfy { set.contains($0) == tiles.contains($0) })

    func squares(_ side: Int) -> [(corner: ExplorerTile, missing: Int)] {
      all.compactMap { corner in
        square(corner, side).map { (corner, $0.count { !tiles.contains($0) }) }
      }
    }
    var side = 0
    while squares(side + 1).contains(where: { $0.missing == 0 }) { side += 1 }
    let largest = set.largestSquares
    #expect(largest?.side ?? 0 == side)
    if side > 0 {
      #expect(
        largest?.squares.map(\.northWest)
          == squares(side).filter { $0.missing == 0 }.map(\.corner))
      for found in largest?.squares ?? [] { #expect(found.tiles == square(found.northWest, side)) }
      let larger = squares(side + 1)
      let least = larger.map(\.missing).min()
      let growth = set.squareGrowth(beyond: largest)
      #expect(growth?.missingCount == least)
      #expect(
        growth?.squares.map(\.northWest) ?? []
          == larger.filter { $0.missing == least }.map(\.corner))
    } else {
      #expect(largest == nil && set.squareGrowth(beyond: nil) == nil)
    }

    var core = tiles.filter { neighbors($0).allSatisfy(tiles.contains) }
    var cluster: ExplorerCluster?
    for start in core.sorted() where core.remove(start) != nil {
      var flooded = [start]
      var next = 0
      while next < flooded.count {
        for neighbor in neighbors(flooded[next]) where core.remove(neighbor) != nil {
          flooded.append(neighbor)
        }
        next += 1
      }
      if flooded.count > cluster?.count ?? 0 {
        cluster = ExplorerCluster(count: flooded.count, firstTile: start)
      }
    }
    #expect(set.largestCluster == cluster)
  }

  @Test(arguments: Seeds.sample(80))
  func `the nearest missing tiles equal those of a sorted list of all`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let zoom = Int.random(in: 0...5, using: &random)
    let tiles = Self.tiles(zoom: zoom, using: &random)
    let set = ExplorerTileSet(tiles, zoom: zoom)
    let point = Coordinate(
      .random(in: -85...85, using: &random), .random(in: -180..<180, using: &random))
    let limit = Int.random(in: 0...40, using: &random)
    let expected = everyTile(zoom).filter { !tiles.contains($0) }
      .map { (tile: $0, meters: point.distanceMeters(to: $0.center)) }
      .sorted { ($0.meters, $0.tile) < ($1.meters, $1.tile) }
    let found = set.nearestMissing(to: point, limit: limit)
    #expect(found.map(\.tile) == expected.prefix(limit).map(\.tile))
    #expect(found.map(\.distanceMeters) == expected.prefix(limit).map(\.meters))
  }

  @Test func `a full map has no larger square and nothing missing`() {
    let set = ExplorerTileSet(everyTile(3), zoom: 3)
    #expect(set.largestSquares?.side == 8)
    #expect(set.largestSquares?.squares.count == 8)
    #expect(set.squareGrowth(beyond: set.largestSquares) == nil)
    #expect(set.nearestMissing(to: Coordinate(1, 1), limit: 5).isEmpty)
    #expect(set.largestCluster?.count == 64)
  }

  @Test func `nothing is missing near a point beyond the map`() {
    let set = ExplorerTileSet([], zoom: 14)
    #expect(set.nearestMissing(to: Coordinate(86, 0), limit: 5).isEmpty)
    #expect(set.count == 0 && set.largestCluster == nil)
  }
}
