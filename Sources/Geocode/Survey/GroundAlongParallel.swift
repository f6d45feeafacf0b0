import Geodesy

/// The label that polygons give to many points.
package struct GroundLabel: Hashable, Sendable {
  /// The country; nil if there is none.
  package var country: CountryIndex? { CountryIndex(rawValue: countryCode) }
  /// True if the points are land.
  package let isLand: Bool
  /// The first-level division given by a polygon; if ``asksNearestPlace``, the one to use if no
  /// place is near.
  package var region: RegionIndex? {
    regionRow == PlaceCodes.noRegion ? nil : RegionIndex(rawValue: regionRow)
  }
  /// True if the polygons leave the first-level division to the nearest place: see
  /// ``NearestRegions``.
  package let asksNearestPlace: Bool

  let countryCode: UInt16
  let regionRow: UInt16
}

/// Reads labels along parallels, for surveys of many points. The answers are those of
/// ``Geocoder/countryAndRegion(at:)`` and ``Geocoder/isLand(at:)``, but a parallel is divided where
/// they change instead of being looked up point by point.
package struct GroundAlongParallel {
  /// The parts of a label to read. Parts that are not read count as none.
  package enum Detail: Sendable {
    /// Land or not.
    case land
    /// Land and country.
    case country
    /// Land, country and first-level division.
    case region
  }

  private let gazetteer: Gazetteer
  private let detail: Detail
  private var scratch = ParallelScratch()
  private var zones: [LabelRun] = []
  private var lands: [LabelRun] = []
  private var regions: [LabelRun] = []

  /// Creates a reader for a level of detail.
  package init(_ geocoder: Geocoder, _ detail: Detail) {
    gazetteer = geocoder.gazetteer
    self.detail = detail
  }

  /// Divides the points of one parallel by their labels.
  ///
  /// Sound: every index is compared with the count of `longitudesE7`, which the caller keeps alive
  /// during the call.
  ///
  /// - Parameters:
  ///   - latitudeE7: the parallel in 1e-7 degree.
  ///   - longitudesE7: the points in 1e-7 degree, ascending. May be empty.
  ///   - body: called for neighboring points with one label, from west to east; together the calls
  ///     cover all points.
  /// - Complexity: O(points + cells of 0.25° passed + border points in them). No allocation once
  ///   warm.
  package mutating func forEachStretch(
    latitudeE7: Int32, longitudesE7: UnsafeBufferPointer<Int32>,
    _ body: (_ points: Range<Int>, _ label: GroundLabel) -> Void
  ) {
    guard let first = longitudesE7.first, let last = longitudesE7.last else { return }
    let (south, west) = (Int(latitudeE7) + 900_000_000, Int(first) + 1_800_000_000)
    let east = Int(last) + 1_800_000_000
    gazetteer.land.labels(fromSouthE7: south, westE7: west, eastE7: east, into: &lands, &scratch)
    if detail != .land {
      gazetteer.boundaries.labels(
        fromSouthE7: south, westE7: west, eastE7: east, into: &zones, &scratch)
    }
    if detail == .region {
      gazetteer.regions.labels(
        fromSouthE7: south, westE7: west, eastE7: east, into: &regions, &scratch)
    }

    var (land, zone, region) = (0, 0, 0)
    var start = 0
    while start < longitudesE7.count {
      let position = Int(longitudesE7[start]) + 1_800_000_000
      var endE7 = Self.advance(&land, in: lands, to: position)
      if detail != .land { endE7 = min(endE7, Self.advance(&zone, in: zones, to: position)) }
      if detail == .region { endE7 = min(endE7, Self.advance(&region, in: regions, to: position)) }
      let end = Self.firstPoint(atLeast: endE7 - 1_800_000_000, in: longitudesE7, after: start)
      body(
        start..<end,
        label(
          land: lands[land].label, zone: detail == .land ? 0 : zones[zone].label,
          region: detail == .region ? regions[region].label : 0))
      start = end
    }
  }

  /// Moves to the run that contains a position, and returns its end.
  @inline(__always)
  private static func advance(_ index: inout Int, in runs: [LabelRun], to position: Int) -> Int {
    while runs[index].endE7 <= position { index += 1 }
    return runs[index].endE7
  }

  /// The first point at or east of a longitude, beyond `index`.
  ///
  /// Sound: the buffer is not empty, and the search stays within its count.
  @inline(__always)
  private static func firstPoint(
    atLeast limitE7: Int, in longitudesE7: UnsafeBufferPointer<Int32>, after index: Int
  ) -> Int {
    if Int(longitudesE7[longitudesE7.count - 1]) < limitE7 { return longitudesE7.count }
    var (low, high) = (index + 1, longitudesE7.count)
    while low < high {
      let middle = (low + high) / 2
      if Int(longitudesE7[middle]) < limitE7 { low = middle + 1 } else { high = middle }
    }
    return low
  }

  @inline(__always)
  private func label(land: UInt16, zone: UInt16, region label: UInt16) -> GroundLabel {
    guard zone != 0 else {
      return GroundLabel(
        isLand: land != 0, asksNearestPlace: false, countryCode: PlaceCodes.noCountry,
        regionRow: PlaceCodes.noRegion)
    }
    let country = gazetteer.country(ofZone: zone)
    let answer = detail == .region ? gazetteer.regionAnswer(country: country, label: label) : .none
    return GroundLabel(
      isLand: land != 0, asksNearestPlace: answer.asksNearestPlace, countryCode: country,
      regionRow: answer.row)
  }
}
