import Geodesy

/// The fast way to the cells of a disc, for nearly every fix: four rows at once, no trigonometry but once in
/// 64 rows. It never decides a close call: where a centre lies so near the circle that its arithmetic might
/// err, or the disc is near ±180°, a pole or the end of the grid, it says so and ``ExactDisc`` answers.
///
/// In units of a step, with y the coordinate's latitude from 90° S and w = 1.9965 the radius, the centre of row
/// r is dy = r + ½ − y away, and the half-width of the row in columns is
/// √((w² − dy²) / (cos φ₀·cos φ)): the rule of ``ExactDisc`` with sin x taken as x. 2w < 4, so four rows hold
/// the disc. Cosines are expanded around an anchor at most 32 rows away.
///
/// **Error.** All relative to a half-width of at most w/cos 80° = 11.5 columns. With ρ the radius as an angle:
/// - sin x for x in sin²: (ρ²+Δφ²)/24 ≤ ρ²/12, and Δλ²/24 with Δλ ≤ ρ/cos 80°;
/// - cosines to the third order: t⁴/24 of at most 1 beside cos 80°, twice, halved by the root; t = 34.5 steps.
/// Beside these, rounding: y is good to 2⁻⁵¹ × rows, which moves a half-width by at most
/// w·2⁻⁵¹·rows / (√0.0001·cos 80°) < 1 200 × that, since rows with |w² − dy²| < 0.0001 are refused.
/// ``margin`` is twice the sum. With 150 m: 3.1e-7 columns; with 2 km, the largest radius taken: 1.2e-5.
struct DiscKernel: Sendable {
  /// Four rows from `firstRow` on, each with its columns as `low..<high`; empty where the two are equal.
  ///
  /// The numbers of columns are the low 32 bits; the high bits are the same in all.
  struct Rows {
    var low: SIMD4<UInt64>
    var high: SIMD4<UInt64>
    /// ``askExactDisc`` where the rest means nothing.
    var firstRow: UInt32

    /// No row has this number.
    static let askExactDisc = UInt32.max
  }

  /// The largest radius for which the error bound is small.
  static let largestRadiusMillimeters = 2_000_000
  /// Smallest |w² − dy²| that is taken.
  private static let smallestSquare = 1e-4
  /// Adding and taking away 1.5 × 2⁵² rounds to the nearest integer, and leaves it in the low bits.
  private static let roundingShift = 6_755_399_441_055_744.0

  private let stepsPerE7: Double
  private let radiansPerStep: Double
  private let radiusSteps: Double
  private let squaredRadiusSteps: Double
  private let halfSquaredStep: Double
  /// How near to the middle between two integers an end of a span may be, in columns.
  let margin: Double
  /// Beyond these, in E7, ``ExactDisc`` answers; negative where it always does.
  private let latitudeLimitE7: Int
  private let longitudeLimitE7: Int

  private var anchor = -1e9
  private var anchorSine = 0.0
  private var anchorCosine = 1.0

  init(grid: Grid) {
    let millimeters = Double(grid.explorationRadiusMillimeters)
    stepsPerE7 = 22.2 / millimeters
    radiansPerStep = grid.stepDegrees * .pi / 180
    let angle = millimeters / 1000 / AuthalicSphere.radiusMeters
    radiusSteps = angle / radiansPerStep
    squaredRadiusSteps = radiusSteps * radiusSteps
    halfSquaredStep = radiansPerStep * radiansPerStep / 2
    let smallestCosine = cosine(80 * .pi / 180)
    let longitudeAngle = angle / smallestCosine
    let reach = 34.5 * radiansPerStep
    let relative =
      angle * angle / 12 + longitudeAngle * longitudeAngle / 24
      + reach * reach * reach * reach / 24 / smallestCosine
    let rounding = Double(sign: .plus, exponent: -51, significand: 1)
    margin =
      2 * (11.5 * relative + 1200 * rounding * Double(grid.rowCount) + rounding * Double(grid.columnCount))
    if grid.explorationRadiusMillimeters <= DiscKernel.largestRadiusMillimeters {
      latitudeLimitE7 = 800_000_000
      // 16 columns of room: 12 for the half-width, the rest for the cut last column.
      longitudeLimitE7 = 1_800_000_000 - Int(17 * grid.stepDegrees * 1e7)
    } else {
      latitudeLimitE7 = -1
      longitudeLimitE7 = -1
    }
  }

  /// The four rows of the disc around a coordinate. Without a branch but for the anchor, so that the work for
  /// several coordinates overlaps.
  @inline(__always)
  mutating func rows(around coordinate: Coordinate) -> Rows {
    let latitude = Int(coordinate.latitudeE7)
    let longitude = Int(coordinate.longitudeE7)
    let y = Double(latitude &+ 900_000_000) * stepsPerE7
    let x = Double(longitude &+ 1_800_000_000) * stepsPerE7

    if (y - anchor).magnitude > 32 { moveAnchor(to: y) }
    let t = (y - anchor) * radiansPerStep
    let halfSquare = t * t * 0.5
    let sine = anchorSine - anchorSine * halfSquare + anchorCosine * t
    let cosine = anchorCosine - anchorCosine * halfSquare - anchorSine * t * (1 - halfSquare * (1 / 3))
    let squaredCosine = cosine * cosine
    let linear = -sine * cosine * radiansPerStep
    let quadratic = squaredCosine * halfSquaredStep

    let below = y - 0.5 - radiusSteps
    let shiftedRow = (below + 0.5) + DiscKernel.roundingShift
    let gap = (shiftedRow - DiscKernel.roundingShift) - below  // 0...1; at 1 the row below touches the circle
    let dy = SIMD4<Double>(0, 1, 2, 3) + (gap - radiusSteps)
    let squares = squaredRadiusSteps - dy * dy
    let positive = (squares + magnitude(squares)) * 0.5
    // cos φ₀·cos(φ₀ + dφ) = cos² φ₀ − sin φ₀·cos φ₀·dφ − ½·cos² φ₀·dφ² − …
    let cosines = squaredCosine + dy * (linear - dy * quadratic)
    let halfWidths = positive * inverseSquareRoot(positive * cosines)

    let west = x - halfWidths
    let east = x + halfWidths
    let shiftedWest = west + DiscKernel.roundingShift
    let shiftedEast = east + DiscKernel.roundingShift
    let westError = west - (shiftedWest - DiscKernel.roundingShift)
    let eastError = east - (shiftedEast - DiscKernel.roundingShift)

    // A centre is at half a step: columns from round(west) up to but not including round(east).
    // Each difference below is negative where the call is close.
    let limit = 0.5 - margin
    let closeness =
      bits(limit - magnitude(westError)) | bits(limit - magnitude(eastError))
      | bits(magnitude(squares) - DiscKernel.smallestSquare)
    let rowCloseness = (1 - DiscKernel.smallestSquare - gap).bitPattern
    let outside =
      UInt64(bitPattern: Int64(latitudeLimitE7 &- Int(latitude.magnitude)))
      | UInt64(bitPattern: Int64(longitudeLimitE7 &- Int(longitude.magnitude)))
    let isClose =
      (closeness[0] | closeness[1] | closeness[2] | closeness[3] | rowCloseness | outside) >> 63 != 0
    return Rows(
      low: bits(shiftedWest), high: bits(shiftedEast),
      firstRow: isClose ? Rows.askExactDisc : UInt32(truncatingIfNeeded: shiftedRow.bitPattern))
  }

  /// 1/√x within 3.4e-11 relative; something finite for 0.
  ///
  /// A first guess from the bits of the exponent, within 3.5 %, and three steps of Newton's method, each of
  /// which takes an error e to 1.5·e². In plain arithmetic, as `squareRoot()` is not done four at a time.
  @inline(__always)
  private func inverseSquareRoot(_ x: SIMD4<Double>) -> SIMD4<Double> {
    let half = x * 0.5
    var root = unsafeBitCast(0x5FE6_EB50_C7B5_37A9 &- (bits(x) &>> 1), to: SIMD4<Double>.self)
    root = root * (1.5 - half * root * root)
    root = root * (1.5 - half * root * root)
    return root * (1.5 - half * root * root)
  }

  @inline(__always)
  private func bits(_ values: SIMD4<Double>) -> SIMD4<UInt64> {
    unsafeBitCast(values, to: SIMD4<UInt64>.self)
  }

  @inline(__always)
  private func magnitude(_ values: SIMD4<Double>) -> SIMD4<Double> {
    unsafeBitCast(bits(values) & (~0 >> 1), to: SIMD4<Double>.self)
  }

  private mutating func moveAnchor(to y: Double) {
    anchor = y
    let latitude = y * radiansPerStep - .pi / 2
    anchorSine = sine(latitude)
    anchorCosine = cosine(latitude)
  }
}
