import Geodesy

/// The fast method for finding the cells of a disc, used for nearly every fix: four rows at once in
/// single precision, with trigonometry only once in 64 rows. It never decides a close call. If a
/// center lies so near the circle that rounding might matter, or the disc is near ±180°, a pole or
/// the end of the grid, the kernel defers to ``ExactDisc``. That is about one fix in a thousand.
///
/// In units of a step, let y be the coordinate's latitude from 90° S and w = 1.9965 the radius. The
/// center of row r is dy = r + ½ − y away, and the half-width of the row in columns is √((w² − dy²)
/// / (cos φ₀·cos φ)): the rule of ``ExactDisc`` with sin x approximated by x. Since 2w = 3.993 < 4,
/// four rows contain the disc, starting with the first whose center lies above y − w, by `gap`.
/// Then w² − dy² = (gap + k)·(2w − gap − k) for k = 0...3, a product of small numbers that are each
/// accurate to single precision.
///
/// **Error**, relative to a half-width of at most w/cos 80° = 11.5 columns; ρ is the radius as an
/// angle:
/// - sin x taken as x: ρ²/12 in latitude, Δλ²/24 with Δλ ≤ ρ/cos 80° in longitude;
/// - cos² φ₀ from the double angle to the third order around an anchor at most 32 rows away: u⁴/24
///   with u = 2 × 34.5 steps, relative to cos² 80°, halved by the root;
/// - the root, 7.0e-7 (``inverseSquareRoot(_:)``), and six roundings to single precision of 2⁻²⁴
///   each.
///
/// The absolute error, in columns: 2⁻²⁰ for adding numbers up to 16 in single precision; 2⁻⁵¹ ×
/// columns for x; and for y, which is accurate to 2⁻⁵¹ × rows, that × 2/(√0.0001·cos 80°) < 1 200,
/// since factors under 0.0001 are refused. ``margin`` is twice the sum: 2.7e-5 columns at 150 m,
/// 3.0e-5 at 2 km, the largest radius accepted.
struct DiscKernel: Sendable {
  /// Four rows starting at `firstRow`, each with its columns as `low..<high`; empty if the two are
  /// equal.
  struct Rows {
    var low: SIMD4<Int32>
    var high: SIMD4<Int32>
    /// ``askExactDisc`` if the other values are invalid.
    var firstRow: Int32

    static let askExactDisc: Int32 = -1
  }

  /// The largest radius for which the error bound is small.
  static let largestRadiusMillimeters = 2_000_000
  /// The smallest factor of w² − dy² that is accepted.
  private static let smallestFactor = 1e-4
  /// Adding 1.5 × 2⁵² rounds to the nearest integer and leaves it in the low bits.
  private static let roundingShift = 6_755_399_441_055_744.0
  /// The same in single precision: 1.5 × 2²³.
  private static let singleShift: Float = 12_582_912

  private let stepsPerE7: Double
  private let radiansPerStep: Double
  private let radiusSteps: Double
  /// The distance in columns from the midpoint between two integers within which the end of a span
  /// is a close call.
  let margin: Double
  /// ½ − ``margin``.
  private let limit: Float
  /// Limits in E7 beyond which ``ExactDisc`` answers; negative if it always does.
  private let latitudeLimitE7: Int
  private let longitudeLimitE7: Int

  private var anchor = -1e9
  /// The sine and cosine of twice the latitude of the anchor.
  private var anchorSine = 0.0
  private var anchorCosine = 1.0

  init(grid: Grid) {
    let millimeters = Double(grid.explorationRadiusMillimeters)
    stepsPerE7 = 22.2 / millimeters
    radiansPerStep = grid.stepDegrees * .pi / 180
    let angle = millimeters / 1000 / AuthalicSphere.radiusMeters
    radiusSteps = angle / radiansPerStep

    let smallestCosine = cosine(80 * .pi / 180)
    let longitudeAngle = angle / smallestCosine
    let reach = 2 * 34.5 * radiansPerStep
    let relative =
      angle * angle / 12 + longitudeAngle * longitudeAngle / 24
      + reach * reach * reach * reach / 24 / (smallestCosine * smallestCosine) / 2
      + 7.0e-7 + 6 * 0x1p-24
    let absolute =
      0x1p-20 + 0x1p-51 * Double(grid.columnCount) + 1200 * 0x1p-51 * Double(grid.rowCount)
    margin = 2 * (11.5 * relative + absolute)
    limit = Float(0.5 - margin)

    if grid.explorationRadiusMillimeters <= DiscKernel.largestRadiusMillimeters {
      latitudeLimitE7 = 800_000_000
      // 17 columns of room: 12 for the half-width, the rest for the cut last column.
      longitudeLimitE7 = 1_800_000_000 - Int(17 * grid.stepDegrees * 1e7)
    } else {
      latitudeLimitE7 = -1
      longitudeLimitE7 = -1
    }
  }

  /// The four rows of the disc around a coordinate. Free of branches except for the anchor, so that
  /// the work for several coordinates overlaps.
  @inline(__always)
  mutating func rows(around coordinate: Coordinate) -> Rows {
    let latitude = Int(coordinate.latitudeE7)
    let longitude = Int(coordinate.longitudeE7)
    let y = Double(latitude &+ 900_000_000) * stepsPerE7
    let x = Double(longitude &+ 1_800_000_000) * stepsPerE7

    // cos² φ = (1 + cos 2φ) / 2 and sin φ·cos φ = sin 2φ / 2, with cos 2φ and sin 2φ around the
    // anchor.
    if (y - anchor).magnitude > 32 { moveAnchor(to: y) }
    let u = (y - anchor) * (2 * radiansPerStep)
    let halfSquare = u * u * 0.5
    let doubledCosine =
      anchorCosine - anchorCosine * halfSquare - anchorSine * (u - u * halfSquare * (1 / 3))
    let doubledSine = anchorSine + anchorCosine * u
    let twoSquaredCosine = Float(1 + doubledCosine)
    let twoSlope = Float(doubledSine * -radiansPerStep)

    let below = y - 0.5 - radiusSteps
    let shiftedRow = (below + 0.5) + DiscKernel.roundingShift
    // 0...1; at 1 the row below touches the circle.
    let gap = (shiftedRow - DiscKernel.roundingShift) - below
    let topFactor = (2 * radiusSteps - 3) - gap  // negative where only three rows are inside

    let fromBelow = SIMD4<Float>(0, 1, 2, 3) + Float(gap)
    let fromAbove = SIMD4<Float>(3, 2, 1, 0) + Float(topFactor)
    let squares = fromBelow * fromAbove
    let twoSquares = squares + magnitude(squares)  // 0 for a fourth row that is not inside
    // cos φ₀·cos(φ₀ + dφ) = cos² φ₀ − sin φ₀·cos φ₀·dφ − …; the next term is under 2⁻²⁴ of the
    // first.
    let twoCosines = twoSquaredCosine + twoSlope * (fromBelow - Float(radiusSteps))
    let halfWidths = twoSquares * DiscKernel.inverseSquareRoot(twoSquares * twoCosines)

    let shiftedColumn = x + DiscKernel.roundingShift
    let column = Int32(truncatingIfNeeded: shiftedColumn.bitPattern)
    let rest = Float(x - (shiftedColumn - DiscKernel.roundingShift))
    let west = rest - halfWidths
    let east = rest + halfWidths
    let shiftedWest = west + DiscKernel.singleShift
    let shiftedEast = east + DiscKernel.singleShift
    let westError = west - (shiftedWest - DiscKernel.singleShift)
    let eastError = east - (shiftedEast - DiscKernel.singleShift)

    // Each difference is negative if the call is close.
    // Sound: both types have 16 bytes and no invalid values.
    let closeness = unsafeBitCast(
      bits(limit - magnitude(westError)) | bits(limit - magnitude(eastError)),
      to: SIMD2<UInt64>.self)
    let factors =
      (gap - DiscKernel.smallestFactor).bitPattern
      | (1 - DiscKernel.smallestFactor - gap).bitPattern
      | (topFactor.magnitude - DiscKernel.smallestFactor).bitPattern
    let outside =
      UInt64(bitPattern: Int64(latitudeLimitE7 &- Int(latitude.magnitude)))
      | UInt64(bitPattern: Int64(longitudeLimitE7 &- Int(longitude.magnitude)))
    let isClose =
      ((closeness[0] | closeness[1]) & 0x8000_0000_8000_0000) | ((factors | outside) & (1 << 63))
      != 0

    // A center is at half a step, so columns run from round(west) up to but not including
    // round(east).
    let base = column &- Int32(bitPattern: DiscKernel.singleShift.bitPattern)
    // Sound: both types have four lanes of 32 bits and no invalid values.
    return Rows(
      low: unsafeBitCast(shiftedWest, to: SIMD4<Int32>.self) &+ base,
      high: unsafeBitCast(shiftedEast, to: SIMD4<Int32>.self) &+ base,
      firstRow: isClose ? Rows.askExactDisc : Int32(truncatingIfNeeded: shiftedRow.bitPattern))
  }

  private mutating func moveAnchor(to y: Double) {
    anchor = y
    let doubledLatitude = 2 * (y * radiansPerStep) - .pi
    anchorSine = sine(doubledLatitude)
    anchorCosine = cosine(doubledLatitude)
  }

  /// 1/√x within 7.0e-7 relative, for normal numbers above 0; some finite number for 0.
  ///
  /// The first estimate comes from the bits of the exponent. A step with constants chosen for it
  /// brings the error within 6.6e-4, and a step of Newton's method turns an error e into 1.5·e².
  /// Plain arithmetic is used because `squareRoot()` is not vectorized four at a time.
  @inline(__always)
  static func inverseSquareRoot(_ x: SIMD4<Float>) -> SIMD4<Float> {
    // Sound: both types have four lanes of 32 bits and no invalid values.
    var root = unsafeBitCast(
      0x5F1F_FFF9 &- (unsafeBitCast(x, to: SIMD4<UInt32>.self) &>> 1), to: SIMD4<Float>.self)
    root = root * (1.681_914_1 - 0.703_952_25 * x * root * root)
    return root * (1.5 - 0.5 * x * root * root)
  }

  @inline(__always)
  private func bits(_ values: SIMD4<Float>) -> SIMD4<UInt32> {
    // Sound: both types have four lanes of 32 bits and no invalid values.
    unsafeBitCast(values, to: SIMD4<UInt32>.self)
  }

  @inline(__always)
  private func magnitude(_ values: SIMD4<Float>) -> SIMD4<Float> {
    // Sound: both types have four lanes of 32 bits and no invalid values.
    unsafeBitCast(bits(values) & (~0 >> 1), to: SIMD4<Float>.self)
  }
}
