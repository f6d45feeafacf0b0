import ByteStreams
import GeoStore
import Geodesy
import GridHash
import TrackIngest
import SQLiteLayer

extension Explorer {
  /// Does what the async form does, on the calling thread.
  package func adopt(_ request: AdoptRequest) throws -> AdoptReport {
    // Everything that can be refused is read before anything is written.
    let circles = try request.exploredCircles.map(Self.circles)
    let hashes = try request.gridHashes.map(Self.hashes)
    let database = try request.database.map { path in (path, try AppDatabase(path: path)) }
    let report = try store.write { session in
      var report = AdoptReport(before: try session.derivedSize())
      if let (path, database) = database {
        report.parts.append(try adopt(database, path: path, session))
      }
      if let circles { report.parts.append(try adopt(circles, session)) }
      if let hashes { report.parts.append(try adopt(hashes, session)) }
      if report.parts.allSatisfy(\.isDuplicate) {
        session.cancel()
      } else {
        try session.forgetReplaced()
        try session.rebuild()
      }
      report.after = try session.derivedSize()
      return report
    }
    try store.checkPlace()
    store.eraseIfOwed()
    return report
  }

  /// Checks that the request's files can be read and have the right form, before a store is created
  /// for them. Reads all rows of a database.
  ///
  /// - Throws: the errors that ``adopt(_:)`` would throw.
  package static func checkAdoptable(_ request: AdoptRequest) throws {
    if let path = request.exploredCircles { _ = try circles(path) }
    if let path = request.gridHashes { _ = try hashes(path) }
    guard let path = request.database else { return }
    try AppDatabase(path: path).forEachRow { _ in }
  }

  private static func circles(_ path: String) throws -> AppList<Coordinate> {
    try AppList(path: path, of: ExploredCircle.self) {
      AppRegionReader.coordinate($0.latitude, $0.longitude)
    }
  }

  private static func hashes(_ path: String) throws -> AppList<Cell> {
    try AppList(path: path, of: String.self) { Cell(gridHash: $0) }
  }

  private func adopt(
    _ database: AppDatabase, path: String, _ session: WriteSession
  ) throws -> AdoptReport.Part {
    var part = AdoptReport.Part(path: path, format: "roqua-app")
    var hash = SHA256()
    var bytes = 0
    try database.forEachRow { row in
      let line = Array((row.original + "\n").utf8)
      line.withUnsafeBytes { hash.update($0) }
      bytes += line.count
    }
    part.sha256 = hash.finalizeHexadecimal()
    if try session.hasSource(sha256: part.sha256) {
      part.isDuplicate = true
      return part
    }
    let reader = AppRegionReader(now: store.options.now())
    let writer = try session.beginRegionSource()
    var (first, last): (Timestamp?, Timestamp?)
    WorkMeter.current?.begin(.adopting)
    try database.forEachRow { row in
      WorkMeter.current?.add(1)
      part.entries += 1
      let (region, problems) = reader.region(row)
      for problem in problems { part.add(row.id, problem, isLeftOut: region == nil) }
      guard let region else { return }
      guard try writer.append(region) else {
        part.withheld += 1
        return
      }
      part.taken += 1
      first = [first, region.start].compactMap { $0 }.min()
      last = [last, region.end].compactMap { $0 }.max()
    }
    try database.verifyUnchanged()
    let source = description(of: part, bytes: bytes, first, last)
    _ = try session.replaceIncomplete(sha256: part.sha256)
    try writer.finish(source)
    return part
  }

  private func adopt(
    _ circles: AppList<Coordinate>, _ session: WriteSession
  ) throws -> AdoptReport.Part {
    guard var part = try begin(circles, format: "explored-circles", session) else {
      return duplicate(circles, format: "explored-circles")
    }
    let writer = try session.beginRegionSource()
    for (index, center) in circles.elements.enumerated() {
      guard let center else {
        part.add(Int64(index), "has no valid latitude and longitude", isLeftOut: true)
        continue
      }
      let region = SourceRegion(center: center, original: circles.original(index))
      if try writer.append(region) { part.taken += 1 } else { part.withheld += 1 }
    }
    let source = description(of: part, bytes: circles.bytes, nil, nil)
    _ = try session.replaceIncomplete(sha256: part.sha256)
    try writer.finish(source)
    return part
  }

  private func adopt(
    _ hashes: AppList<Cell>, _ session: WriteSession
  ) throws -> AdoptReport.Part {
    guard var part = try begin(hashes, format: "grid-hashes", session) else {
      return duplicate(hashes, format: "grid-hashes")
    }
    let grid = session.settings.grid
    var cells = GridHash.Coverage(grid: grid)
    for (index, cell) in hashes.elements.enumerated() {
      guard let cell else {
        part.add(Int64(index), "is not of the form \"row_column\"", isLeftOut: true)
        continue
      }
      guard grid.contains(cell) else {
        part.add(
          Int64(index),
          "is not on the grid of \(grid.rowCount) rows and \(grid.columnCount) columns",
          isLeftOut: true)
        continue
      }
      cells.insert(cell)
      part.taken += 1
    }
    let writer = try session.beginCellSource(grid: grid)
    for (key, tile) in cells.tiles { try writer.append(tile, at: key) }
    part.withheld = writer.withheldCount
    part.taken -= part.withheld
    let source = description(of: part, bytes: hashes.bytes, nil, nil)
    _ = try session.replaceIncomplete(sha256: part.sha256)
    _ = try writer.finish(source)
    return part
  }

  private func begin<Element>(
    _ list: AppList<Element>, format: String, _ session: WriteSession
  ) throws -> AdoptReport.Part? {
    if try session.hasSource(sha256: list.sha256) { return nil }
    var part = AdoptReport.Part(path: list.path, format: format)
    part.sha256 = list.sha256
    part.entries = list.elements.count
    return part
  }

  private func duplicate<Element>(_ list: AppList<Element>, format: String) -> AdoptReport.Part {
    var part = AdoptReport.Part(path: list.path, format: format)
    (part.sha256, part.isDuplicate) = (list.sha256, true)
    return part
  }

  private func description(
    of part: AdoptReport.Part, bytes: Int, _ first: Timestamp?, _ last: Timestamp?
  ) -> SourceDescription {
    SourceDescription(
      sha256: part.sha256, path: part.path, format: part.format, bytes: bytes, points: 0,
      firstTime: first,
      lastTime: last, report: part.json.description)
  }
}
