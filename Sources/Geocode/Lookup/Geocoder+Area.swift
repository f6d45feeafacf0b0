import Geodesy

/// The country and land flag that apply to a whole box.
package struct UniformLabel: Hashable, Sendable {
  /// The country of every point of the box; nil if all of it has none.
  package let country: CountryIndex?
  /// True if every point of the box is land; otherwise none is.
  package let isLand: Bool
}

extension Geocoder {
  /// The land of a country in km², on the sphere of the authalic radius as in coverage, from the
  /// same polygons and the same land mask as ``countryIndex(at:)`` and ``isLand(at:)``; nil if the
  /// country is not in the data.
  package func landAreaSquareKilometers(of country: CountryIndex) -> Double? {
    let area = gazetteer.landAreas[Int(country.rawValue)]
    return area.isNaN ? nil : area
  }

  /// The land of the Earth in km², measured in the same way.
  package var worldLandAreaSquareKilometers: Double { gazetteer.worldLandArea }

  /// Returns the label of all points of a box, or nil if it may not be the same everywhere.
  ///
  /// Used for statistics over cells: most boxes are uniform, and the points of the others are
  /// looked up individually. Nil is always a valid result; it is returned whenever the bounding box
  /// of a border touches the box.
  ///
  /// - Parameters:
  ///   - south: the southern edge in degrees.
  ///   - west: the western edge in degrees. A box that crosses the antimeridian has `west` > `east`
  ///     and is never uniform.
  ///   - north: the northern edge in degrees.
  ///   - east: the eastern edge in degrees.
  /// - Complexity: O(cells of 0.25° that the box touches, and border points in them).
  package func uniformLabel(south: Double, west: Double, north: Double, east: Double)
    -> UniformLabel?
  {
    guard south <= north, west <= east,
      let low = try? Coordinate(latitudeDegrees: south, longitudeDegrees: west),
      let high = try? Coordinate(
        latitudeDegrees: north, longitudeDegrees: min(east, 179.999_999_9)),
      low.longitudeE7 <= high.longitudeE7
    else { return nil }
    guard let zone = gazetteer.boundaries.uniformLabel(from: low, to: high),
      let land = gazetteer.land.uniformLabel(from: low, to: high)
    else { return nil }
    let country = zone == 0 ? nil : CountryIndex(unchecked: gazetteer.country(ofZone: zone))
    return UniformLabel(country: country, isLand: land != 0)
  }
}

extension Partition {
  /// Returns the label of all points between these corners, or nil if the bounding box of a line
  /// touches them.
  func uniformLabel(from low: Coordinate, to high: Coordinate) -> UInt16? {
    let southWest = CellPoint(low, level: level)
    let northEast = CellPoint(high, level: level)
    let expected = label(at: southWest)
    let cellE7 = Int(CellPoint.cellE7) << level
    for row in southWest.row...northEast.row {
      for column in southWest.column...northEast.column {
        let entry = entry(column: column, row: row)
        if entry.isPure {
          if entry.label != expected { return nil }
          continue
        }
        let isUniform = isUniform(
          mixedCell: entry.mixedCell, label: expected,
          west: column == southWest.column ? southWest.x : 0,
          south: row == southWest.row ? southWest.y : 0,
          east: column == northEast.column ? northEast.x : cellE7,
          north: row == northEast.row ? northEast.y : cellE7)
        if !isUniform { return nil }
      }
    }
    return expected
  }

  /// Returns true if no line of a mixed cell comes near this part of it, and the part has this
  /// label. Bounds are in E7.
  private func isUniform(
    mixedCell cell: Int, label expected: UInt16, west: Int, south: Int, east: Int, north: Int
  ) -> Bool {
    let stepE7 = CellPoint.stepE7 << level
    let mixed = MixedCell(cell, of: self)
    if west == 0 {
      var bottom = 0
      for run in 0..<mixed.runCount {
        let top = mixed.topStep(ofRun: run) * stepE7
        if bottom <= north, top >= south, mixed.label(ofRun: run) != expected { return false }
        bottom = top
      }
    }
    let isApart = mixed.forEachPiece { piece in
      let (from, to) = (piece.from, piece.to)
      return min(from.x, to.x) * stepE7 > east || max(from.x, to.x) * stepE7 < west
        || min(from.y, to.y) * stepE7 > north || max(from.y, to.y) * stepE7 < south
    }
    guard isApart else { return false }
    let size = Int(CellPoint.cellE7) << level
    return label(inMixedCell: cell, x: min(west, size - 1), y: min(south, size - 1)) == expected
  }
}
