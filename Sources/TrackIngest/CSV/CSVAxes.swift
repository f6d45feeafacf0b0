/// The columns of both coordinates, chosen from all that a first row names.
///
/// Plain names (`lat`) go before those of one of several (`home_lat`), wherever they stand; among
/// equal ones the first counts. If one kind of name has both axes, they are both from it.
struct CSVAxes {
  /// A column of coordinates.
  struct Axis {
    let column: Int
    /// Whether the name says units of 1e-7 degree.
    let isE7: Bool
  }

  /// The first columns of both coordinates with one kind of name.
  private struct Pair {
    var latitude, longitude: Axis?
    var isComplete: Bool { latitude != nil && longitude != nil }
  }

  private var plain = Pair()
  private var other = Pair()

  /// The columns of no name.
  init() {}

  /// The column of latitudes; nil if no name is one.
  var latitude: Axis? { isOther ? other.latitude : plain.latitude ?? other.latitude }
  /// The column of longitudes; nil if no name is one.
  var longitude: Axis? { isOther ? other.longitude : plain.longitude ?? other.longitude }

  /// Whether only the other names have both axes: `lat` beside `home_lat` and `home_lon`.
  private var isOther: Bool { other.isComplete && !plain.isComplete }

  /// Takes a column if it is a coordinate. Returns false for any other meaning.
  mutating func take(_ meaning: CSVColumn, _ column: Int) -> Bool {
    switch meaning {
    case .latitude(let isE7, let isPlain):
      take(Axis(column: column, isE7: isE7), as: \.latitude, in: isPlain ? \.plain : \.other)
    case .longitude(let isE7, let isPlain):
      take(Axis(column: column, isE7: isE7), as: \.longitude, in: isPlain ? \.plain : \.other)
    default: return false
    }
    return true
  }

  /// Takes the first column of an axis.
  private mutating func take(
    _ axis: Axis, as place: WritableKeyPath<Pair, Axis?>, in names: WritableKeyPath<Self, Pair>
  ) {
    if self[keyPath: names][keyPath: place] == nil { self[keyPath: names][keyPath: place] = axis }
  }
}
