import Geodesy

/// Adds up the distance on the ground between successive kept fixes of each source.
///
/// Flights, steps over a gap and impossible ones (``GroundStep``) have none. If several sources
/// cover the same time, each moment counts once, for the step that ends first: of a later step,
/// only the time that no other covers counts.
struct GroundDistance {
  private let longestGapMilliseconds: Int64
  private var lasts: [UInt32: FixTimeline.Fix] = [:]
  private var covered: CoveredTime

  /// Creates an empty sum.
  ///
  /// - Parameter longestGapMilliseconds: a step that takes longer is a gap.
  init(longestGapMilliseconds: Int64) {
    self.longestGapMilliseconds = longestGapMilliseconds
    covered = CoveredTime(longestStepMilliseconds: longestGapMilliseconds)
  }

  /// Adds the next fix in order of time, and returns the meters to it that count.
  ///
  /// - Complexity: O(1) over all fixes.
  mutating func take(_ fix: FixTimeline.Fix) -> Double {
    let last = lasts.updateValue(fix, forKey: fix.source)
    // Where times run backwards, or a fix in between was left out, the two do not follow each
    // other.
    guard let last, fix.isJoined, last.order &+ 1 == fix.order else { return 0 }
    let duration = fix.time - last.time
    guard duration <= longestGapMilliseconds else { return 0 }
    let meters = last.coordinate.distanceMeters(to: fix.coordinate)
    guard GroundStep.isPossible(meters: meters, milliseconds: duration) else { return 0 }
    guard duration > 0 else { return meters }
    let uncovered = covered.cover(from: last.time, to: fix.time)
    return meters * Double(uncovered) / Double(duration)
  }
}

/// Finds the place where most nights were spent: home, if nobody says where that is.
struct HomeFinder {
  /// A square of 0.003°, up to 334 m.
  private struct Square: Hashable {
    let row: Int
    let column: Int
  }

  private static let sideE7 = 30_000
  private static let columnCount = 3_600_000_000 / sideE7
  /// The nights in each square, with the sums of their positions from its corner.
  private var squares: [Square: (nights: Int, latitudeE7: Int, longitudeE7: Int)] = [:]

  /// Adds a night at a position.
  mutating func add(_ coordinate: Coordinate) {
    let row = (Int(coordinate.latitudeE7) + 900_000_000) / Self.sideE7
    let column = (Int(coordinate.longitudeE7) + 1_800_000_000) / Self.sideE7
    var sum = squares[Square(row: row, column: column)] ?? (0, 0, 0)
    sum.nights += 1
    sum.latitudeE7 += Int(coordinate.latitudeE7)
    sum.longitudeE7 += Int(coordinate.longitudeE7)
    squares[Square(row: row, column: column)] = sum
  }

  /// The middle of the nights in the square that has the most together with its neighbors, and the
  /// number of nights in these nine squares; nil without a night.
  var home: (coordinate: Coordinate, nights: Int)? {
    var best: (square: Square, nights: Int)?
    for square in squares.keys {
      var nights = 0
      for row in square.row - 1...square.row + 1 {
        for column in square.column - 1...square.column + 1 {
          let wrapped = (column + Self.columnCount) % Self.columnCount
          nights += squares[Square(row: row, column: wrapped)]?.nights ?? 0
        }
      }
      guard let known = best else {
        best = (square, nights)
        continue
      }
      // Of two squares that see each other, the one with more nights; else the first.
      let (own, other) = (squares[square]?.nights ?? 0, squares[known.square]?.nights ?? 0)
      let order = (nights, own, -square.row, -square.column)
      if order > (known.nights, other, -known.square.row, -known.square.column) {
        best = (square, nights)
      }
    }
    guard let best, let sum = squares[best.square] else { return nil }
    let coordinate = Coordinate(
      uncheckedLatitudeE7: Int32(sum.latitudeE7 / sum.nights),
      longitudeE7: Int32(sum.longitudeE7 / sum.nights))
    return (coordinate, best.nights)
  }
}

/// The position that is farthest from a point.
struct FarthestFix {
  private let home: Coordinate
  /// The position, with its time and its distance from the point in meters; the earliest of several
  /// equally far ones.
  private(set) var farthest: (coordinate: Coordinate, time: Timestamp, meters: Double)?
  private var last: (coordinate: Coordinate, meters: Double)?

  /// Creates a search.
  init(from home: Coordinate) { self.home = home }

  /// Looks at a fix. Most are so close to the last one measured that none can be farther than the
  /// farthest: a degree is at most 111.7 km.
  mutating func take(_ coordinate: Coordinate, at time: Timestamp) {
    if let last, let farthest {
      let latitude = abs(Int64(coordinate.latitudeE7) - Int64(last.coordinate.latitudeE7))
      let longitude = abs(Int64(coordinate.longitudeE7) - Int64(last.coordinate.longitudeE7))
      let step = Double(latitude + longitude) * 111_700e-7
      if last.meters + step < farthest.meters { return }
    }
    let meters = home.distanceMeters(to: coordinate)
    last = (coordinate, meters)
    if let farthest {
      if meters < farthest.meters { return }
      if meters == farthest.meters, farthest.time <= time { return }
    }
    farthest = (coordinate, time, meters)
  }
}
