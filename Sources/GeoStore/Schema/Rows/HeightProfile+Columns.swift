import Geodesy
import SQLiteLayer

extension Statement {
  /// Binds a profile to three parameters: `highest_m`, `lowest_m`, `height_steps`.
  func bind(_ heights: HeightProfile?, at index: Int32) {
    bind(heights?.highestMeters, at: index)
    bind(heights?.lowestMeters, at: index + 1)
    let isKnown = heights?.highestMeters != nil
    bind(isKnown ? heights?.steps : nil, at: index + 2)
  }

  /// Returns the profile in three columns; nil if they contradict each other.
  func heights(at column: Int32) -> HeightProfile? {
    HeightProfile(
      highestMeters: optionalDouble(at: column), lowestMeters: optionalDouble(at: column + 1),
      steps: text(at: column + 2) ?? "")
  }
}

extension Connection {
  /// Replaces the heights of a source.
  func setHeights(_ heights: HeightProfile, ofSource id: Int64) throws(DatabaseError) {
    let update = try cached(
      "UPDATE sources SET highest_m = ?2, lowest_m = ?3, height_steps = ?4 WHERE id = ?1")
    update.bind(id, at: 1)
    update.bind(heights, at: 2)
    try update.run()
  }
}
