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
  struct Rows {
    var firstRow: Int
    var low: SIMD4<Int32>
    var high: SIMD4<Int32>
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
  /// How near to the middle between two integers an end of a span may be, in columns.
  let margin: Double
  /// Beyond these, in E7, ``ExactDisc`` answers; negative where it always does.
  private let latitudeLimitE7: Int32
  private let longitudeLimitE7: Int32

  private var anchor = -1e9
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
      longitudeLimitE7 = 1_800_000_000 - Int32(17 * grid.stepDegrees * 1e7)
    } else {
      latitudeLimitE7 = -1
      longitudeLimitE7 = -1
    }
  }

  /// The four rows of the disc around a coordinate, or nil where ``ExactDisc`` must answer.
  @inline(__always)
  mutating func rows(around coordinate: Coordinate) -> Rows? {
    let latitude = coordinate.latitudeE7
    let longitude = coordinate.longitudeE7
    guard latitude <= latitudeLimitE7, latitude >= -latitudeLimitE7,
      longitude <= longitudeLimitE7, longitude >= -longitudeLimitE7
    else { return nil }
    let y = Double(Int(latitude) &+ 900_000_000) * stepsPerE7
    let x = Double(Int(longitude) &+ 1_800_000_000) * stepsPerE7

    if (y - anchor).magnitude > 32 { moveAnchor(to: y) }
    let fromAnchor = (y - anchor) * radiansPerStep
    let ownCosine = cosineNearAnchor(fromAnchor)

    let below = y - 0.5 - radiusSteps
    let firstRow = Int(below) &+ 1
    let gap = Double(firstRow) - below  // 0 < gap ≤ 1; 1 means that the row below touches the circle
    let dy = SIMD4<Double>(0, 1, 2, 3) + (gap - radiusSteps)
    let squares = radiusSteps * radiusSteps - dy * dy
    let offsets = fromAnchor + dy * radiansPerStep
    let cosines = cosineNearAnchor(offsets) * ownCosine
    let halfWidths =
      (squares.clamped(lowerBound: SIMD4(repeating: 0), upperBound: SIMD4(repeating: 16)) / cosines)
      .squareRoot()

    let west = x - halfWidths
    let east = x + halfWidths
    let shiftedWest = west + DiscKernel.roundingShift
    let shiftedEast = east + DiscKernel.roundingShift
    let westError = west - (shiftedWest - DiscKernel.roundingShift)
    let eastError = east - (shiftedEast - DiscKernel.roundingShift)

    // A centre is at half a step: columns from round(west) up to but not including round(east).
    let limit = 0.5 - margin
    let isClose =
      (westError .> limit) .| (westError .< -limit) .| (eastError .> limit) .| (eastError .< -limit)
      .| ((squares .< DiscKernel.smallestSquare) .& (squares .> -DiscKernel.smallestSquare))
    if any(isClose) || gap > 1 - DiscKernel.smallestSquare { return nil }
    return Rows(
      firstRow: firstRow,
      low: SIMD4<Int32>(truncatingIfNeeded: unsafeBitCast(shiftedWest, to: SIMD4<Int64>.self)),
      high: SIMD4<Int32>(truncatingIfNeeded: unsafeBitCast(shiftedEast, to: SIMD4<Int64>.self)))
  }

  private mutating func moveAnchor(to y: Double) {
    anchor = y
    let latitude = y * radiansPerStep - .pi / 2
    anchorSine = sine(latitude)
    anchorCosine = cosine(latitude)
  }

  @inline(__always)
  private func cosineNearAnchor(_ t: Double) -> Double {
    let square = t * t
    return anchorCosine * (1 - square * 0.5) - anchorSine * t * (1 - square * (1 / 6))
  }

  @inline(__always)
  private func cosineNearAnchor(_ t: SIMD4<Double>) -> SIMD4<Double> {
    let square = t * t
    return anchorCosine * (1 - square * 0.5) - anchorSine * t * (1 - square * (1 / 6))
  }
}
