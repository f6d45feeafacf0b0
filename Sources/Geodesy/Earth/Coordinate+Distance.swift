#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

extension Coordinate {
  /// The length in meters of the shortest path on the WGS 84 ellipsoid.
  ///
  /// Up to a chord of 20 km this is the chord through the Earth, converted to an arc; beyond that,
  /// Vincenty's inverse formula. If the formula does not converge (nearly antipodal points), it is
  /// the shortest path through a point midway.
  ///
  /// - Guarantee: within 1 mm of the true geodesic up to 20 km, within 0.5 m at any distance;
  ///   symmetric up to rounding; 0 for equal coordinates.
  /// - Complexity: O(1); four sines and cosines up to 20 km, about ten times that beyond, and a few
  ///   thousand times that if the points are nearly antipodal.
  public func distanceMeters(to other: Coordinate) -> Double {
    let chord = ECEF(self).chordMeters(to: ECEF(other))
    if chord <= Self.longestBentChordMeters {
      let meanLatitude = (latitudeRadians + other.latitudeRadians) / 2
      return Self.arcMeters(chordMeters: chord, sinLatitude: sin(meanLatitude))
    }
    return vincentyMeters(to: other) ?? nearAntipodalMeters(to: other)
  }

  /// The longest chord, in meters, that is converted to an arc.
  static let longestBentChordMeters = 20_000.0

  /// The arc over a chord, on a circle of the Gaussian radius R = √(MN): c + c³ / 24R², from the
  /// series of 2R·asin(c / 2R).
  ///
  /// - Guarantee: at c = 20 km the correction is 8.2 mm. R differs from the curvature along the
  ///   path by at most 0.34 % (half of e²), so the correction is accurate to 0.06 mm; the next
  ///   term, 3c⁵ / 640R⁴, is 9 nm.
  @inlinable
  static func arcMeters(chordMeters c: Double, sinLatitude: Double) -> Double {
    let squaredRadius =
      Ellipsoid.meridianRadiusMeters(sinLatitude: sinLatitude)
      * Ellipsoid.primeVerticalRadiusMeters(sinLatitude: sinLatitude)
    return c + c * c * c / (24 * squaredRadius)
  }

  /// The distance by Vincenty's inverse formula; nil if its iteration does not converge, near the
  /// antipode.
  ///
  /// - Source: T. Vincenty, "Direct and inverse solutions of geodesics on the ellipsoid with
  ///   application of nested equations", Survey Review XXIII, 176 (1975).
  func vincentyMeters(to other: Coordinate) -> Double? {
    let f = Ellipsoid.flattening
    let reduced1 = atan((1 - f) * tan(latitudeRadians))
    let reduced2 = atan((1 - f) * tan(other.latitudeRadians))
    let (sin1, cos1, sin2, cos2) = (sin(reduced1), cos(reduced1), sin(reduced2), cos(reduced2))
    let difference = (other.longitudeRadians - longitudeRadians).remainder(dividingBy: 2 * .pi)

    var lambda = difference
    for _ in 0..<60 {
      let (sinLambda, cosLambda) = (sin(lambda), cos(lambda))
      let x = cos2 * sinLambda
      let y = cos1 * sin2 - sin1 * cos2 * cosLambda
      let sinSigma = (x * x + y * y).squareRoot()
      if sinSigma == 0 { return cos1 * cos2 * cosLambda + sin1 * sin2 > 0 ? 0 : nil }
      let cosSigma = sin1 * sin2 + cos1 * cos2 * cosLambda
      let sigma = atan2(sinSigma, cosSigma)
      let sinAlpha = cos1 * cos2 * sinLambda / sinSigma
      let cosSquaredAlpha = 1 - sinAlpha * sinAlpha
      let cos2SigmaM = cosSquaredAlpha < 1e-15 ? 0 : cosSigma - 2 * sin1 * sin2 / cosSquaredAlpha
      let c = f / 16 * cosSquaredAlpha * (4 + f * (4 - 3 * cosSquaredAlpha))
      let cosTerm = cosSigma * (2 * cos2SigmaM * cos2SigmaM - 1)
      let next =
        difference + (1 - c) * f * sinAlpha * (sigma + c * sinSigma * (cos2SigmaM + c * cosTerm))
      if abs(next) > .pi { return nil }
      if abs(next - lambda) < 1e-12 {
        return Self.vincentyLength(
          cosSquaredAlpha: cosSquaredAlpha, sigma: sigma, sinSigma: sinSigma, cosSigma: cosSigma,
          cos2SigmaM: cos2SigmaM)
      }
      lambda = next
    }
    return nil
  }

  private static func vincentyLength(
    cosSquaredAlpha: Double, sigma: Double, sinSigma: Double, cosSigma: Double, cos2SigmaM: Double
  ) -> Double {
    let (a, b) = (Ellipsoid.semiMajorAxisMeters, Ellipsoid.semiMinorAxisMeters)
    let u = cosSquaredAlpha * (a * a - b * b) / (b * b)
    let seriesA = 1 + u / 16_384 * (4_096 + u * (-768 + u * (320 - 175 * u)))
    let seriesB = u / 1_024 * (256 + u * (-128 + u * (74 - 47 * u)))
    let square = cos2SigmaM * cos2SigmaM
    let inner = cosSigma * (2 * square - 1)
    let outer = seriesB / 6 * cos2SigmaM * (4 * sinSigma * sinSigma - 3) * (4 * square - 3)
    let deltaSigma = seriesB * sinSigma * (cos2SigmaM + seriesB / 4 * (inner - outer))
    return b * seriesA * (sigma - deltaSigma)
  }

  /// The distance between nearly antipodal points, for which Vincenty's iteration does not
  /// converge.
  ///
  /// Every path between the two crosses the great circle midway between them. The shortest path
  /// through a point of that circle is the shortest path to that point plus the shortest path from
  /// there, each about 10 000 km, where Vincenty converges. So the distance is the smallest such
  /// sum over the circle: the best of 180 points, then a golden-section search between its
  /// neighbors.
  func nearAntipodalMeters(to other: Coordinate) -> Double {
    let (a, b) = (UnitVector(self), UnitVector(other))
    let normal = (a - b).normalized
    let first = normal.anyPerpendicular
    let second = normal.cross(first)
    func length(_ angle: Double) -> Double {
      let middle = (first * cos(angle) + second * sin(angle)).coordinate
      guard let near = vincentyMeters(to: middle), let far = middle.vincentyMeters(to: other) else {
        return .infinity
      }
      return near + far
    }
    let step = 2 * Double.pi / 180
    let best = (0..<180).min { length(Double($0) * step) < length(Double($1) * step) } ?? 0
    var (low, high) = (Double(best - 1) * step, Double(best + 1) * step)
    let golden = (5.0.squareRoot() - 1) / 2
    for _ in 0..<40 {
      let (left, right) = (high - golden * (high - low), low + golden * (high - low))
      if length(left) < length(right) { high = right } else { low = left }
    }
    return min(length((low + high) / 2), length(Double(best) * step))
  }
}
