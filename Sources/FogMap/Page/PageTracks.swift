/// The tracks of a map page: lines with the day on which each begins. `docs/formats/map-page.md`
/// describes the bytes.
package struct PageTracks: Sendable {
  /// A point in units of 1e-5 degree.
  package struct Point: Hashable, Sendable {
    /// The latitude.
    package let latitudeE5: Int
    /// The longitude; beyond ±180° where a line crosses the antimeridian.
    package let longitudeE5: Int

    /// Creates a point.
    package init(latitudeE5: Int, longitudeE5: Int) {
      (self.latitudeE5, self.longitudeE5) = (latitudeE5, longitudeE5)
    }
  }

  private var writer = VarintWriter()
  /// The number of lines.
  package private(set) var count = 0

  /// Creates an empty list.
  package init() {}

  /// Adds a line of at least two points.
  ///
  /// - Parameter day: counted as in ``PageCells/dayOf1970``; ``PageCells/noDay`` for none.
  package mutating func add(_ points: [Point], day: Int) {
    guard points.count > 1 else { return }
    count += 1
    writer.append(max(0, day))
    writer.append(points.count)
    var last = Point(latitudeE5: 0, longitudeE5: 0)
    for point in points {
      writer.append(signed: point.latitudeE5 - last.latitudeE5)
      writer.append(signed: point.longitudeE5 - last.longitudeE5)
      last = point
    }
  }

  /// The bytes, not yet deflated.
  package var bytes: [UInt8] {
    var whole = VarintWriter()
    whole.append(count)
    whole.append(contentsOf: writer.bytes)
    return whole.bytes
  }
}
