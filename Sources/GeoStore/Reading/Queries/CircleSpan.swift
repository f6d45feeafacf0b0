import Geodesy

/// The longitudes that a circle may reach between two parallels.
///
/// It uses a flat Earth with slightly shortened degrees, so that nothing within the radius is
/// excluded. It is that of a circle whose radius is larger by up to 0.1 %, 2 mm, and the amount by
/// which parallels get shorter within the circle, tan φ × radius / 6 367 km (0.16 % at 45° for
/// 10 km).
struct CircleSpan {
  private let latitude: Double
  private let longitude: Double
  /// The factors from units of 1e-7 degree northward and eastward to radii.
  private let scale: SIMD2<Double>

  /// Prepares for a circle around the center of `near`.
  ///
  /// - Precondition: `near` reaches at least as far as `radiusMeters`, which is 0 or more.
  init(_ near: NearbyDistance, radiusMeters: Double) {
    // The squared chord is (M δ)² north and ρ₁ρ₂ × 4 sin²(Δλ / 2) east, where ρ is the distance
    // from the axis. M changes by 4e-5 within 0.2°; δ²/12 is 1e-6; ρ₂ is at least N times the
    // smallest cosine; 4 sin²(x / 2) ≥ x² (1 - x²/12), 8.4e-4 at 5.7°. Together that is less than a
    // thousandth of the square, so half as much of the scale. Two more millimeters contain what is
    // decided to a millimeter.
    let inverse = 0.9995 / (radiusMeters + 0.002)
    latitude = near.latitude
    longitude = near.longitude
    let leastCosine = near.leastCosine(within: radiusMeters)
    let eastward =
      near.axisDistance * (leastCosine / near.cosLatitude).squareRoot() * Coordinate.radiansPerUnit
    scale = SIMD2(near.meridianMetersPerUnit, eastward) * inverse
  }

  /// The center's longitude in units of 1e-7 degree, shifted by a turn if that is nearer to the
  /// given longitude.
  func longitude(near longitudeE7: Int32) -> Double {
    let difference = Double(longitudeE7) - longitude
    return difference > 1.8e9
      ? longitude + 3.6e9 : difference < -1.8e9 ? longitude - 3.6e9 : longitude
  }

  /// Half the width, in units of 1e-7 degree, of the area between two parallels that may be within
  /// the radius; nil if none may be.
  ///
  /// - Parameters:
  ///   - southE7: the southern parallel in units of 1e-7 degree.
  ///   - northE7: the northern parallel in units of 1e-7 degree.
  func halfWidth(southE7: Double, northE7: Double) -> Double? {
    let off = max(0, southE7 - latitude, latitude - northE7) * scale.x
    return off <= 1 ? (1 - off * off).squareRoot() / scale.y : nil
  }
}
