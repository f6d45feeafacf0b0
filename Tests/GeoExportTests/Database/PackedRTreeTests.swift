import SQLiteLayer
import TestSupport
import Testing

@testable import GeoExport

@Suite struct PackedRTreeTests {
  /// Sizes around full nodes of one, two and three levels: 51, 51² and 51 · 52.
  @Test(arguments: [0, 1, 2, 17, 50, 51, 52, 102, 103, 2_600, 2_601, 2_602, 2_653, 7_000])
  func `A search through the tree equals a scan`(count: Int) throws {
    var random = SplitMix64(seed: UInt64(count))
    let file = try TreeFile(of: (0..<count).map { _ in .random(using: &random) })
    #expect(try file.check() == "ok")
    #expect(try file.connection.integer("SELECT count(*) FROM tree") == Int64(count))
    for _ in 0..<50 {
      let query = ExportBounds.random(using: &random, side: 40)
      #expect(try file.search(query) == file.scan(query))
    }
  }

  @Test(arguments: Seeds.sample(20))
  func `SQLite can insert and delete afterwards`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let count = Int.random(in: 0...400, using: &random)
    var file = try TreeFile(of: (0..<count).map { _ in .random(using: &random) })
    for row in 0..<Int64.random(in: 1...400, using: &random) {
      try file.insert(.random(using: &random), row: Int64(count) + 1 + row)
    }
    for row in file.boxes.keys.sorted().filter({ $0 % 3 == 0 }) { try file.delete(row: row) }
    #expect(try file.check() == "ok")
    for _ in 0..<20 {
      let query = ExportBounds.random(using: &random, side: 60)
      #expect(try file.search(query) == file.scan(query))
    }
  }

  @Test func `All features at one position make a tree, too`() throws {
    var bounds = ExportBounds()
    bounds.include(x: 180, y: -90)
    let file = try TreeFile(of: Array(repeating: bounds, count: 3_000))
    #expect(try file.check() == "ok")
    #expect(try file.search(bounds) == Array(1...3_000))
  }

  @Test(arguments: [52, 103, 1_000, 2_602, 9_999])
  func `No node has fewer entries than SQLite's minimum of a third`(count: Int) {
    var level = PackedRTree.Level(count: count, firstNode: 2)
    while !level.isRoot {
      var next = 0
      for node in 0..<level.nodeCount {
        let entries = level.entries(ofNode: node)
        #expect(entries.lowerBound == next)
        #expect((17...51).contains(entries.count))
        next = entries.upperBound
      }
      #expect(next == level.count)
      level = .init(count: level.nodeCount, firstNode: 2, depth: level.depth + 1)
    }
    #expect(level.firstNode == 1)
  }

  @Test func `Searching a small box reads a fiftieth of the leaves`() throws {
    // A grid of 100 by 100 points: whole leaves cover about 7 by 7 of them.
    let file = try TreeFile(
      of: (0..<10_000).map { place in
        var bounds = ExportBounds()
        // In an order that has nothing to do with the positions.
        let mixed = place * 7_919 % 10_000
        bounds.include(x: Double(mixed % 100), y: Double(mixed / 100))
        return bounds
      })
    let leaves = try file.connection.integer(
      "SELECT count(DISTINCT nodeno) FROM tree_rowid WHERE rowid IN "
        + "(SELECT id FROM tree WHERE minx >= 40 AND maxx < 50 AND miny >= 40 AND maxy < 50)")
    let all = try file.connection.integer("SELECT count(DISTINCT nodeno) FROM tree_rowid")
    #expect(all == 197)
    #expect(leaves ?? 0 <= 10)
  }

  @Test(arguments: Seeds.sample(20))
  func `Edges are rounded outward, and at most as far as SQLite does`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    var file = try TreeFile(of: [])
    let special = [0, -0.0, 180, -180, 90, 1e-7, -1e-7, 1e-30, 0.1, -0.1]
    for row in 1...100 {
      let value =
        row <= special.count ? special[row - 1] : Double.random(in: -180...180, using: &random)
      var bounds = ExportBounds()
      bounds.include(x: value, y: value)
      let edges = RTreeBox(bounds).edges
      #expect(Double(edges[0]) <= value && value <= Double(edges[2]))
      #expect(edges[0].nextUp > edges[2] || edges[0].nextUp == edges[2])
      try file.insert(bounds, row: Int64(row))
      let select = try file.connection.cached("SELECT minx, maxx FROM tree WHERE id = \(row)")
      #expect(try select.step())
      #expect(select.double(at: 0) <= Double(edges[0]))
      #expect(select.double(at: 1) >= Double(edges[2]))
    }
  }
}
