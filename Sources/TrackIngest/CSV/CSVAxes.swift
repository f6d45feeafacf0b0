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

  /// The first columns with plain names, and with others.
  private var plain: (latitude: Axis?, longitude: Axis?)
  private var other: (latitude: Axis?, longitude: Axis?)

  /// The columns of no name.
  init() {}

  /// The column of latitudes; nil if there is none.
  var latitude: Axis? { isOther ? other.latitude : plain.latitude ?? other.latitude }
  /// The column of longitudes; nil if there is none.
  var longitude: Axis? { isOther ? other.longitude : plain.longitude ?? other.longitude }

  /// Whether only the other names have both axes: `lat` beside `home_lat` and `home_lon`.
  private var isOther: Bool {
    (plain.latitude == nil || plain.longitude == nil)
      && other.latitude != nil && other.longitude != nil
  }

  /// Takes a column if it is a coordinate. Returns false for any other meaning.
  mutating func take(_ meaning: CSVColumn, _ column: Int) -> Bool {
    switch meaning {
    case .latitude(let isE7, let isPlain):
      let axis = Axis(column: column, isE7: isE7)
      if isPlain {
        plain.latitude = plain.latitude ?? axis
      } else {
        other.latitude = other.latitude ?? axis
      }
    case .longitude(let isE7, let isPlain):
      let axis = Axis(column: column, isE7: isE7)
      if isPlain {
        plain.longitude = plain.longitude ?? axis
      } else {
        other.longitude = other.longitude ?? axis
      }
    default: return false
    }
    return true
  }
}
