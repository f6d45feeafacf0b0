/// The answer of the polygons of first-level divisions for points of one country.
struct RegionAnswer {
  /// The division's row, or ``PlaceCodes/noRegion``.
  let row: UInt16
  /// True if the nearest place decides, and ``row`` is used only if no place is near.
  let asksNearestPlace: Bool

  static let none = RegionAnswer(row: PlaceCodes.noRegion, asksNearestPlace: false)
}

extension Gazetteer {
  /// The rule for the first-level division: the polygon's if it is of the same country and not a
  /// guess, otherwise that of the nearest place; a guess is used if no place is near.
  @inline(__always)
  func regionAnswer(country: UInt16, label: UInt16) -> RegionAnswer {
    guard label != 0 else { return RegionAnswer(row: PlaceCodes.noRegion, asksNearestPlace: true) }
    let row = regionRows[Int(label) - 1]
    guard row.country == country else {
      return RegionAnswer(row: PlaceCodes.noRegion, asksNearestPlace: true)
    }
    return RegionAnswer(row: row.admin1, asksNearestPlace: row.isGuess)
  }
}
