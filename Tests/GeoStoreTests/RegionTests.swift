import Geodesy
import GridHash
import TestSupport
import Testing

@testable import GeoStore

@Suite struct RegionTests {
  @Test(arguments: Seeds.sample(12))
  func `regions and visits equal those of the oracle`(seed: UInt64) throws {
    try checkAgainstOracle(seed: seed, homes: awkwardHomes)
  }

  @Test func `regions and visits equal those of the oracle at the poles`() throws {
    try checkAgainstOracle(seed: 1, homes: polarHomes)
  }

  @Test(arguments: Seeds.share(of: [1, 3, 6.9, 7.1, 10, 149, 150, 1_000, 4_700, 10_000]))
  func `regions and visits equal those of the oracle for any clustering radius`(radius: Double)
    throws
  {
    try checkAgainstOracle(seed: 2, homes: awkwardHomes, clusteringRadiusMeters: radius)
    try checkAgainstOracle(seed: 3, homes: polarHomes, clusteringRadiusMeters: radius)
  }

  private func checkAgainstOracle(
    seed: UInt64, homes: [Coordinate], clusteringRadiusMeters: Double = 75
  ) throws {
    var random = SplitMix64(seed: seed)
    let folder = try TemporaryFolder()
    let store = try Store(path: folder.file("s.sqlite"), creating: true)
    var settings = StoreSettings()
    try settings.set(.clusteringRadiusMeters, to: clusteringRadiusMeters)
    try store.write { session in
      try session.set(.clusteringRadiusMeters, to: clusteringRadiusMeters)
    }
    var oracle = RegionOracle(settings: settings)
    for source in 0..<3 {
      let fixes = wanderingTrack(
        count: 200, homes: homes, strideMeters: 1.6 * clusteringRadiusMeters, using: &random)
      let before = oracle.centers.count
      for fix in fixes { oracle.take(fix) }
      let changes = try store.add(fixes, as: "source \(source)")
      #expect(changes.kept == fixes.count)
      #expect(changes.regionsAdded == oracle.centers.count - before)
    }
    let regions = try store.regions()
    // Ordered by id: the geohash, then the order of creation within a cell.
    let order = oracle.centers.indices.sorted {
      (RegionID.range(of: oracle.centers[$0]).lowerBound, $0)
        < (RegionID.range(of: oracle.centers[$1]).lowerBound, $1)
    }
    #expect(regions.map(\.coordinate) == order.map { oracle.centers[$0] })
    for (index, region) in zip(order, regions) {
      let list = oracle.lists[index]
      #expect(region.visitCount == max(1, list.visits.count))
      #expect(region.timestampStart == list.start)
      #expect(region.timestampEnd == list.end)
      #expect(region.geohash == Geohash(region.coordinate).description)
      #expect(region.radiusMeters == 150)
      let visits = try store.read { snapshot in
        try snapshot.visits(toRegion: region.id)
      }
      #expect(visits == list.visits)
    }
    #expect(try store.check().isSound)
  }

  @Test(arguments: Seeds.sample(6))
  func `the same track imported as another source adds no region and no visit`(seed: UInt64)
    throws
  {
    var random = SplitMix64(seed: seed)
    let folder = try TemporaryFolder()
    let store = try Store(path: folder.file("s.sqlite"), creating: true)
    let fixes = wanderingTrack(count: 300, homes: awkwardHomes, using: &random)
    try store.add(fixes, as: "one")
    let (before, covered) = (try store.regions(), try store.coverage())
    let changes = try store.add(fixes, as: "two")
    #expect(changes.regionsAdded == 0)
    #expect(changes.cellsAdded == 0)
    #expect(changes.regionsRevisited == before.count)
    #expect(try store.regions() == before)
    #expect(try store.coverage() == covered)
  }

  @Test(arguments: Seeds.sample(8))
  func `a second device on the same ride adds few regions and visits`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let folder = try TemporaryFolder()
    let store = try Store(path: folder.file("s.sqlite"), creating: true)
    let fixes = wanderingTrack(count: 600, homes: [Coordinate(47.37, 8.54)], using: &random)
    try store.add(fixes, as: "watch")
    let before = try store.regions()
    let moved = fixes.map { fix in
      KeptFix(
        coordinate: fix.coordinate.randomNeighbor(within: 5, using: &random), time: fix.time,
        accuracyMeters: fix.accuracyMeters, startsSegment: fix.startsSegment)
    }
    let changes = try store.add(moved, as: "phone")
    let after = try store.regions()
    // Near the edge of a region a moved fix may belong to another region, or to none yet.
    #expect(changes.regionsAdded * 10 <= before.count)
    let (visits, visitsAfter) = (
      before.reduce(0) { $0 + $1.visitCount }, after.reduce(0) { $0 + $1.visitCount }
    )
    #expect((visitsAfter - visits) * 10 <= visits, "\(visits) \(visitsAfter)")
  }

  @Test(
    arguments: Seeds.sample(6),
    [(1, 1), (7, 1_000), (60, 5), (10_000, 1), (10_000, 10), (10_000, 40)])
  func `flushing the window within a source and finer cells do not change the regions`(
    seed: UInt64, window: (capacity: Int, denseCount: Int)
  ) throws {
    var random = SplitMix64(seed: seed)
    let tracks = (0..<2).map { _ in
      wanderingTrack(count: 200, homes: awkwardHomes, using: &random)
    }
    let folder = try TemporaryFolder()
    let large = try Store(path: folder.file("large.sqlite"), creating: true)
    var options = StoreOptions()
    options.regionWindowCapacity = window.capacity
    options.denseRegionCount = window.denseCount
    let small = try Store(path: folder.file("small.sqlite"), creating: true, options: options)
    for (index, track) in tracks.enumerated() {
      #expect(try small.add(track, as: "\(index)") == large.add(track, as: "\(index)"))
    }
    #expect(try small.regions() == large.regions())
  }

  @Test(arguments: Seeds.sample(6))
  func `a rebuild changes neither regions nor coverage`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let folder = try TemporaryFolder()
    let store = try Store(path: folder.file("s.sqlite"), creating: true)
    for source in 0..<3 {
      try store.add(
        wanderingTrack(count: 200, homes: awkwardHomes, using: &random), as: "source \(source)")
    }
    let (regions, coverage) = (try store.regions(), try store.coverage())
    try store.write { session in try session.rebuild() }
    #expect(try store.regions() == regions)
    #expect(try store.coverage() == coverage)
  }

  @Test func `changing a setting that affects regions or coverage rebuilds them`() throws {
    var random = SplitMix64(seed: 3)
    let fixes = wanderingTrack(count: 300, homes: awkwardHomes, using: &random)
    let folder = try TemporaryFolder()
    let changed = try Store(path: folder.file("changed.sqlite"), creating: true)
    try changed.add(fixes, as: "one")
    let fresh = try Store(path: folder.file("fresh.sqlite"), creating: true)
    for store in [changed, fresh] {
      try store.write { session in
        try session.set(.explorationRadiusMeters, to: 300)
        try session.set(.clusteringRadiusMeters, to: 200)
        try session.set(.visitGapMinutes, to: 5)
      }
    }
    try fresh.add(fixes, as: "one")
    #expect(try changed.regions() == fresh.regions())
    #expect(try changed.coverage() == fresh.coverage())
    #expect(try changed.regions().first?.radiusMeters == 300)
  }
}
