import Roqua

func rememberAndAsk(tracks: String, store: String) throws -> String {
  let explorer = try Explorer(storePath: store)
  let report = try explorer.importTracks([tracks])
  let here = try Coordinate(latitudeDegrees: 41.0256, longitudeDegrees: 28.9742)
  let regions = try explorer.regions(near: here, radiusMeters: 500)
  let explored = try explorer.statistics().areaSquareKilometers
  return "\(report.kept) fixes kept, \(explored) km² explored; "
    + "\(regions.count) regions near \(explorer.place(at: here).city ?? "here")"
}
