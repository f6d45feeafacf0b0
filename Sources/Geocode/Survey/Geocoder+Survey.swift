import Geodesy

/// Lookups for surveys by country and region, which need less than a whole place and so are faster.
extension Geocoder {
  /// The country and the first-level division at a position: those of `codes(at:)`, but places are
  /// searched only if the polygons do not give the answer.
  ///
  /// - Complexity: mostly the same as ``countryIndex(at:)``.
  package func countryAndRegion(at coordinate: Coordinate) -> (
    country: CountryIndex?, region: RegionIndex?
  ) {
    let zone = gazetteer.boundaries.label(at: coordinate)
    guard zone != 0 else { return (nil, nil) }
    let country = gazetteer.country(ofZone: zone)
    let label = gazetteer.regions.label(at: coordinate)
    var row = gazetteer.regionAnswer(country: country, label: label).row
    if gazetteer.regionAnswer(country: country, label: label).asksNearestPlace {
      let match = PlaceSearch(gazetteer.places, at: coordinate, in: country).match()
      row = regionRow(country: country, match, label: label)
    }
    return (
      CountryIndex(unchecked: country),
      row == PlaceCodes.noRegion ? nil : RegionIndex(rawValue: row)
    )
  }

  /// Returns the first-level division of all points of a box that lies in one country, or nil if it
  /// may not be the same everywhere. Nil is always a valid result.
  ///
  /// - Parameters:
  ///   - south: the southern edge in degrees.
  ///   - west: the western edge in degrees.
  ///   - north: the northern edge in degrees.
  ///   - east: the eastern edge in degrees.
  ///   - country: the country of every point of the box, from
  ///     ``uniformLabel(south:west:north:east:)``.
  package func uniformRegion(
    south: Double, west: Double, north: Double, east: Double, in country: CountryIndex
  ) -> RegionIndex? {
    guard south <= north, west <= east,
      let low = try? Coordinate(latitudeDegrees: south, longitudeDegrees: west),
      let high = try? Coordinate(
        latitudeDegrees: north, longitudeDegrees: min(east, 179.999_999_9)),
      low.longitudeE7 <= high.longitudeE7,
      let label = gazetteer.regions.uniformLabel(from: low, to: high)
    else { return nil }
    let answer = gazetteer.regionAnswer(country: country.rawValue, label: label)
    guard !answer.asksNearestPlace, answer.row != PlaceCodes.noRegion else { return nil }
    return RegionIndex(rawValue: answer.row)
  }

  /// Boxes that together contain every point of a country and some points of others. Their edges
  /// are multiples of 0.25°, and they overlap at most along edges.
  ///
  /// - Complexity: O(the boundaries' cells), a few milliseconds.
  package func boxes(around country: CountryIndex) -> [BoundingBox] {
    gazetteer.boundaries.boxes { $0 != 0 && gazetteer.country(ofZone: $0) == country.rawValue }
  }
}

extension Partition {
  /// The boxes of the cells that contain a matching label.
  func boxes(where fits: (UInt16) -> Bool) -> [BoundingBox] {
    let columnCount = CellPoint.columnCount >> level
    return cells(where: fits).compactMap { box(ofCell: $0 % columnCount, $0 / columnCount) }
  }

  /// The cells that contain a matching label: row × columns + column, ascending by blocks of 8 by
  /// 8.
  func cells(where fits: (UInt16) -> Bool) -> [Int] {
    var cells: [Int] = []
    let (rowCount, columnCount) = (CellPoint.rowCount >> level, CellPoint.columnCount >> level)
    for blockRow in 0..<blockRows {
      for blockColumn in 0..<blockColumns {
        // Sound: the loops stay within the table of blocks.
        let block = blocks.u16(2 * (blockRow * blockColumns + blockColumn))
        if block & Self.isMixed == 0, !fits(block) { continue }
        let firstColumn = blockColumn * Self.blockCells
        for row in blockRow * Self.blockCells..<min((blockRow + 1) * Self.blockCells, rowCount) {
          for column in firstColumn..<min(firstColumn + Self.blockCells, columnCount)
          where occurs(inCell: column, row, where: fits) {
            cells.append(row * columnCount + column)
          }
        }
      }
    }
    return cells
  }

  /// The edges of a cell. Never nil: cells lie on the Earth.
  func box(ofCell column: Int, _ row: Int) -> BoundingBox? {
    let degrees = 0.25 * Double(1 << level)
    let (south, west) = (Double(row) * degrees - 90, Double(column) * degrees - 180)
    return try? BoundingBox(south: south, west: west, north: south + degrees, east: west + degrees)
  }

  /// Returns true if a cell contains a matching label: as its only label, along its left edge, or
  /// next to one of its lines.
  func occurs(inCell column: Int, _ row: Int, where fits: (UInt16) -> Bool) -> Bool {
    let entry = entry(column: column, row: row)
    if entry.isPure { return fits(entry.label) }
    return MixedCell(entry.mixedCell, of: self).contains(where: fits)
  }
}
