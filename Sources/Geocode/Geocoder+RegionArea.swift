#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif
import Geodesy

extension Geocoder {
  /// The first division at a position on land, or nil at sea and where there is none: the region of
  /// ``codes(at:)``, without the search for places where the polygons alone decide.
  public func landRegion(at coordinate: Coordinate) -> RegionIndex? {
    guard isLand(at: coordinate), let country = countryIndex(at: coordinate)?.rawValue else { return nil }
    let label = gazetteer.regions.label(at: coordinate)
    if label != 0 {
      let row = gazetteer.regionRows[Int(label) - 1]
      if row.country == country, !row.isGuess {
        return row.admin1 == PlaceCodes.noRegion ? nil : RegionIndex(rawValue: row.admin1)
      }
    }
    return codes(at: coordinate).region
  }

  /// The land of a region in km², as ``landAreaSquareKilometers(of:)`` measures that of a country, from the same
  /// answers as ``codes(at:)`` and ``isLand(at:)``; 0 for a region that has none.
  ///
  /// Cells of 0.5° inside the region count whole, cells on its edge by samples of 0.01°, and a region that is found to
  /// be below 1 000 km² once more by samples of 0.0025°.
  ///
  /// - Guarantee: regions above 1 000 km² within about 0.5 %, smaller ones within about 2 %.
  /// - Complexity: a few milliseconds for most regions, up to a second for the largest. Keep the answer.
  public func landAreaSquareKilometers(of region: RegionIndex) -> Double {
    guard Int(region.rawValue) < gazetteer.places.admin1Count else { return 0 }
    let cells = cellsAround(region)
    let area = sampledArea(of: region, in: cells, samplesPerSide: 50)
    return area < 1000 ? sampledArea(of: region, in: cells, samplesPerSide: 200) : area
  }

  /// Cells of 0.5° in which the region may be: those that its polygons or its places touch, and their neighbours, since
  /// a place lends its region to land up to 50 km off that no polygon of its country covers.
  func cellsAround(_ region: RegionIndex) -> [Int] {
    let partition = gazetteer.regions
    let columns = CellPoint.columnCount >> partition.level
    let rows = CellPoint.rowCount >> partition.level
    var labels = Set<UInt16>()
    for (index, row) in gazetteer.regionRows.enumerated() where row.admin1 == region.rawValue {
      labels.insert(UInt16(index + 1))
    }
    var touched = Set<Int>()
    if !labels.isEmpty {
      for row in 0..<rows {
        for column in 0..<columns {
          let entry = partition.entry(column: column, row: row)
          let isTouched =
            entry.isPure
            ? labels.contains(entry.label)
            : partition.names(anyOf: labels, inMixedCell: entry.mixedCell)
          if isTouched { touched.insert(row * columns + column) }
        }
      }
    }
    var lending = Set<Int>()
    for place in 0..<gazetteer.places.count where gazetteer.places.admin1Row(place) == region.rawValue {
      guard let coordinate = gazetteer.places.coordinate(of: place) else { continue }
      let point = CellPoint(coordinate, level: partition.level)
      lending.insert(point.row * columns + point.column)
    }
    for cell in lending {
      let row = cell / columns
      // 50 km in cells of a parallel: 0.45° of latitude, more of longitude towards the poles.
      let south = abs(Double(row) / 2 - 90) + 0.5
      let reach = min(Int(1 / cos(min(south, 85) * .pi / 180)) + 1, columns / 2)
      for dy in -1...1 where (0..<rows).contains(row + dy) {
        for dx in -reach...reach {
          touched.insert((row + dy) * columns + (cell % columns + dx + columns) % columns)
        }
      }
    }
    return touched.sorted()
  }

  func sampledArea(of region: RegionIndex, in cells: [Int], samplesPerSide: Int) -> Double {
    let level = gazetteer.regions.level
    let columns = CellPoint.columnCount >> level
    let country = gazetteer.places.admin1Country(region.rawValue)
    let cellE7 = Int(CellPoint.cellE7) << level
    let stepE7 = cellE7 / samplesPerSide
    let radius = Ellipsoid.authalicRadiusMeters / 1000
    func area(southE7: Int, heightE7: Int, widthE7: Int) -> Double {
      let south = Double(southE7) / 1e7 * .pi / 180
      let north = Double(southE7 + heightE7) / 1e7 * .pi / 180
      return radius * radius * Double(widthE7) / 1e7 * .pi / 180 * (sin(north) - sin(south))
    }
    var total = 0.0
    for cell in cells {
      let southE7 = cell / columns * cellE7 - 900_000_000
      let westE7 = cell % columns * cellE7 - 1_800_000_000
      switch uniformRegion(southE7: southE7, westE7: westE7, sizeE7: cellE7, country: country) {
      case .some(let found):
        if found == region.rawValue { total += area(southE7: southE7, heightE7: cellE7, widthE7: cellE7) }
      case .none:
        for row in 0..<samplesPerSide {
          let south = southE7 + row * stepE7
          var hits = 0
          for column in 0..<samplesPerSide {
            let west = westE7 + column * stepE7
            guard
              let point = Coordinate(
                latitudeE7: Int32(south + stepE7 / 2), longitudeE7: Int32(west + stepE7 / 2))
            else { continue }
            if landRegion(at: point) == region { hits += 1 }
          }
          total += Double(hits) * area(southE7: south, heightE7: stepE7, widthE7: stepE7)
        }
      }
    }
    return total
  }

  /// The region of a whole cell, `PlaceCodes.noRegion` for none that matters, or nil where it must be sampled.
  private func uniformRegion(southE7: Int, westE7: Int, sizeE7: Int, country: UInt16) -> UInt16? {
    let south = Double(southE7) / 1e7
    let west = Double(westE7) / 1e7
    let size = Double(sizeE7 - 1) / 1e7
    guard let label = uniformLabel(south: south, west: west, north: south + size, east: west + size) else {
      return nil
    }
    guard label.isLand, label.country?.rawValue == country else { return PlaceCodes.noRegion }
    guard let corner = Coordinate(latitudeE7: Int32(southE7), longitudeE7: Int32(westE7)) else { return nil }
    let point = CellPoint(corner, level: gazetteer.regions.level)
    let entry = gazetteer.regions.entry(column: point.column, row: point.row)
    guard entry.isPure, entry.label != 0 else { return nil }
    let row = gazetteer.regionRows[Int(entry.label) - 1]
    return row.country == country && !row.isGuess ? row.admin1 : nil
  }
}

extension Partition {
  /// Whether the walls or lines of a mixed cell name one of these labels.
  func names(anyOf labels: Set<UInt16>, inMixedCell cell: Int) -> Bool {
    var cursor = lines + Int(cellOffsets.u32(4 * cell))
    let end = lines + Int(cellOffsets.u32(4 * cell + 4))
    let wallCount = Int(cursor.u16(0))
    for wall in 0..<wallCount where labels.contains(cursor.u16(2 + 4 * wall)) { return true }
    cursor += 2 + 4 * wallCount
    while cursor < end {
      if labels.contains(cursor.u16(0)) || labels.contains(cursor.u16(2)) { return true }
      cursor += 6 + 3 * Int(cursor.u16(4))
    }
    return false
  }
}
