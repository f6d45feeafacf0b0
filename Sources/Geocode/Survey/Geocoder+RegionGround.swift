#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif
import Geodesy

extension Geocoder {
  /// Boxes that together contain all land that `codes(at:)` assigns to a first-level division of a
  /// country, or to none of its divisions, and some other land. Their edges are multiples of 0.5°,
  /// and they overlap at most along edges.
  ///
  /// Land belongs to a division if a polygon says so, or if no polygon decides and the nearest
  /// place belongs to the division. So these are the cells of 0.5° that contain its polygons, and
  /// those up to 50 km from its places that contain land of the country that no polygon decides.
  ///
  /// - Parameters:
  ///   - region: the first-level division; nil for land without one.
  ///   - country: the division's country.
  /// - Complexity: O(the polygons' cells + places), a few milliseconds.
  package func boxes(around region: RegionIndex?, in country: CountryIndex) -> [BoundingBox] {
    let partition = gazetteer.regions
    let columns = CellPoint.columnCount >> partition.level
    return cells(around: region, in: country)
      .compactMap { partition.box(ofCell: $0 % columns, $0 / columns) }
  }

  /// The cells of these boxes, row × columns + column, ascending.
  func cells(around region: RegionIndex?, in country: CountryIndex) -> [Int] {
    let wanted = region?.rawValue ?? PlaceCodes.noRegion
    // By polygons, including guesses; never label 0.
    let byPolygon = gazetteer.regions.cells { label in
      guard label != 0 else { return false }
      let answer = gazetteer.regionAnswer(country: country.rawValue, label: label)
      return answer.row == wanted && (answer.row != PlaceCodes.noRegion || !answer.asksNearestPlace)
    }
    var found = Set(byPolygon)
    if region == nil {
      // Land more than 50 km from every place can be anywhere in the country.
      found.formUnion(cells(ofCountry: country).filter { isUndecided(cell: $0, in: country) })
    } else {
      found.formUnion(cellsNearPlaces(of: wanted).filter { isUndecided(cell: $0, in: country) })
    }
    return found.sorted()
  }

  /// The cells of the regions' partition that contain points of a country.
  private func cells(ofCountry country: CountryIndex) -> [Int] {
    let ratio = 1 << (gazetteer.regions.level - gazetteer.boundaries.level)
    let (fine, coarse) = (
      CellPoint.columnCount >> gazetteer.boundaries.level,
      CellPoint.columnCount >> gazetteer.regions.level
    )
    let cells = gazetteer.boundaries.cells {
      $0 != 0 && gazetteer.country(ofZone: $0) == country.rawValue
    }
    return Array(Set(cells.map { $0 / fine / ratio * coarse + $0 % fine / ratio }))
  }

  /// Returns true if a cell has land of a country for which polygons do not decide.
  private func isUndecided(cell: Int, in country: CountryIndex) -> Bool {
    let regions = gazetteer.regions
    let columns = CellPoint.columnCount >> regions.level
    let (row, column) = cell.quotientAndRemainder(dividingBy: columns)
    func occurs(_ partition: Partition, where fits: (UInt16) -> Bool) -> Bool {
      let ratio = 1 << (regions.level - partition.level)
      return (0..<ratio).contains { down in
        (0..<ratio).contains { right in
          partition.occurs(inCell: column * ratio + right, row * ratio + down, where: fits)
        }
      }
    }
    return regions.occurs(inCell: column, row) {
      gazetteer.regionAnswer(country: country.rawValue, label: $0).asksNearestPlace
    }
      && occurs(gazetteer.boundaries) {
        $0 != 0 && gazetteer.country(ofZone: $0) == country.rawValue
      }
      && occurs(gazetteer.land) { $0 != 0 }
  }

  /// The cells up to 50 km from a place of a division, and some that are farther away.
  private func cellsNearPlaces(of regionRow: UInt16) -> Set<Int> {
    let level = gazetteer.regions.level
    let (rows, columns) = (CellPoint.rowCount >> level, CellPoint.columnCount >> level)
    var homes: Set<Int> = []
    for place in 0..<gazetteer.places.count where gazetteer.places.admin1Row(place) == regionRow {
      guard let coordinate = gazetteer.places.coordinate(of: place) else { continue }
      let point = CellPoint(coordinate, level: level)
      homes.insert(point.row * columns + point.column)
    }
    var cells: Set<Int> = []
    let sideDegrees = 0.25 * Double(1 << level)
    for home in homes {
      let (row, column) = home.quotientAndRemainder(dividingBy: columns)
      // 50 km are at most 0.453° of latitude, less than a cell, but more of longitude toward the
      // poles. The metric's error of 0.01 % is far less than the rest of the cell.
      let farthest =
        max(abs(Double(row) * sideDegrees - 90), abs(Double(row + 1) * sideDegrees - 90)) + 0.453
      let reach = min(
        Int(0.453 / sideDegrees / cos(min(farthest, 85) * .pi / 180)) + 1, columns / 2)
      for dy in -1...1 where (0..<rows).contains(row + dy) {
        for dx in -reach...reach {
          cells.insert((row + dy) * columns + (column + dx + columns) % columns)
        }
      }
    }
    return cells
  }
}
