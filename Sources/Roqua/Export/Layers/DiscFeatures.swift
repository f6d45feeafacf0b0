import GeoExport
import GeoStore
import SQLiteLayer

extension ExportFeed {
  /// Writes the union of the discs around the kept fixes that explore. The column `cells` is null.
  ///
  /// - Returns: what is left out, one sentence each.
  func addDiscs(
    _ selection: ExportSelection, of snapshot: Snapshot
  ) throws(DatabaseError) -> [String] {
    let settings = snapshot.settings
    var discs: DiscUnion
    do throws(ExportFailure) {
      discs = try DiscUnion(radiusMeters: settings.grid.explorationRadiusMeters)
    } catch {
      throw stop(error)
    }
    try ExportedFixes.forEach(selection, of: snapshot) { item in
      if settings.flightsExplore || !item.fix.isInFlight { discs.add(item.fix.coordinate) }
    }
    var number = 0
    try discs.forEachPolygon(failing: stop) { (polygon, squareMeters) throws(DatabaseError) in
      number += 1
      feature.geometry = polygon
      feature.append(number)
      feature.values.append(.null)
      feature.append(squareMeters / 1e6)
      try add()
    }
    var cellSources: Set<Int64> = []
    try snapshot.forEachSourceTile { (source, _, _) in
      if selection.sources?.ids.contains(source) ?? true { cellSources.insert(source) }
    }
    if cellSources.isEmpty { return [] }
    let count = cellSources.count
    return [
      "\(count) \(count == 1 ? "source has" : "sources have") cells instead of fixes and no discs; "
        + "an export of the cells has them."
    ]
  }
}
