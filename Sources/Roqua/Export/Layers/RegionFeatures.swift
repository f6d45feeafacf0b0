import GeoStore
import SQLiteLayer

extension ExportFeed {
  /// Writes the visited regions, ordered by id.
  func addRegions(
    _ selection: ExportSelection, of snapshot: Snapshot
  ) throws(DatabaseError) {
    try snapshot.forEachRegion(matching: selection.regionQuery) { region throws(DatabaseError) in
      guard selection.contains(region) else { return true }
      feature.setPoint(region.coordinate)
      feature.append(region.id)
      feature.append(region.radiusMeters)
      feature.append(region.timestampStart)
      feature.append(region.timestampEnd)
      feature.append(region.visitCount)
      feature.append(region.place)
      feature.append(region.geohash)
      feature.append(region.accuracyMeters)
      try add()
      return true
    }
  }

  /// Writes the visits, ordered by the id of their region and by time.
  func addVisits(
    _ selection: ExportSelection, of snapshot: Snapshot
  ) throws(DatabaseError) {
    try snapshot.forEachRegion(matching: selection.regionQuery) { region throws(DatabaseError) in
      guard selection.contains(region) else { return true }
      guard let start = region.timestampStart, let end = region.timestampEnd else { return true }
      let visits =
        region.visitCount == 1
        ? [Visit(start: start, end: end)] : try snapshot.visits(toRegion: region.id)
      for visit in visits where selection.contains(visit, to: region) {
        feature.setPoint(region.coordinate)
        feature.append(region.id)
        feature.append(visit.start)
        feature.append(visit.end)
        let milliseconds =
          visit.end.millisecondsSince1970 - visit.start.millisecondsSince1970
        feature.append(Double(milliseconds) / 60_000)
        feature.append(region.place)
        try add()
      }
      return true
    }
  }
}
