import CGazetteer
import Geodesy

/// Where in the tables a search of places begins. It depends on the position only, so that what is
/// read first can be requested before the country is known.
struct SearchStart {
  /// The row of the position.
  let row: Int
  /// The column of 4° of the position.
  let column: Int
  /// How far east in its column the position is, from 0 to 65,535.
  let share: Int
  /// The cell of the list of large discs.
  let discCell: Int

  /// E7 units in a unit of 1e-5 degree.
  private static let unitE7 = 100

  @inline(__always)
  init(_ coordinate: Coordinate) {
    let north = Int(coordinate.latitudeE7) &+ 900_000_000
    let east = Int(coordinate.longitudeE7) &+ 1_800_000_000
    row = min(north / (PlacesFile.rowUnits * Self.unitE7), PlacesFile.rowCount - 1)
    let columnE7 = PlacesFile.columnUnits * Self.unitE7
    column = east / columnE7
    share = ((east &- column &* columnE7) &<< 16) / columnE7
    let cellE7 = PlacesFile.bigCellDegrees * PlacesFile.unitsPerDegree * Self.unitE7
    discCell =
      min(north / cellE7, PlacesFile.bigRows - 1) &* PlacesFile.bigColumns &+ east / cellE7
  }

  /// Asks the processor to load what a search reads first: the places of the row near the
  /// longitude, and the list of large discs.
  @inline(__always)
  func prefetch(_ places: PlacesFile) {
    let guess = places.guess(inRow: row, column: column, share: share)
    let half = PlaceSearch.firstPlaces / 2
    roqua_prefetch(places.records + (guess - half) * PlacesFile.recordSize)
    roqua_prefetch(places.records + guess * PlacesFile.recordSize)
    roqua_prefetch(places.records + (guess + half - 1) * PlacesFile.recordSize)
    let (first, _) = places.largeDiscs(inCell: discCell)
    roqua_prefetch(places.bigPlaces + PlacesFile.bigSize * first)
  }
}
