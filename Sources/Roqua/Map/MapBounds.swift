import Geodesy

/// The smallest box around some positions that a map flies to.
///
/// Longitudes are kept in two ways, from 180° W and from the meridian of Greenwich, and the
/// narrower one is the answer: places on both sides of ±180° get a small box.
struct MapBounds: Hashable, Sendable {
  private(set) var south: Double
  private(set) var north: Double
  private var signed: ClosedRange<Double>
  private var unsigned: ClosedRange<Double>

  /// The box of one position.
  init(_ coordinate: Coordinate) {
    self.init(latitude: coordinate.latitudeDegrees, longitude: coordinate.longitudeDegrees)
  }

  /// The box of one position in degrees.
  init(latitude: Double, longitude: Double) {
    (south, north) = (latitude, latitude)
    signed = longitude...longitude
    let turned = longitude < 0 ? longitude + 360 : longitude
    unsigned = turned...turned
  }

  /// The box around both.
  func union(_ other: MapBounds) -> MapBounds {
    var union = self
    union.south = min(south, other.south)
    union.north = max(north, other.north)
    union.signed = Self.join(signed, other.signed)
    union.unsigned = Self.join(unsigned, other.unsigned)
    return union
  }

  private static func join(
    _ one: ClosedRange<Double>, _ other: ClosedRange<Double>
  ) -> ClosedRange<Double> {
    min(one.lowerBound, other.lowerBound)...max(one.upperBound, other.upperBound)
  }

  /// South, west, north, east in degrees, a little wider; a west greater than the east crosses
  /// ±180°.
  var degrees: [Double] {
    let margin = 0.005
    // A journey around the world is shown with Greenwich in the middle.
    let span = unsigned.upperBound - unsigned.lowerBound
    let crosses = span < signed.upperBound - signed.lowerBound && span < 200
    let range = crosses ? unsigned : signed
    /// A longitude from -180 to 180.
    func placed(_ longitude: Double) -> Double {
      if !crosses { return max(-180, min(180, longitude)) }
      return longitude > 180 ? longitude - 360 : longitude
    }
    return [
      max(-90, south - margin), placed(range.lowerBound - margin), min(90, north + margin),
      placed(range.upperBound + margin),
    ].map { ($0 * 1e4).rounded() / 1e4 }
  }
}
