import GeoStore
import Roqua

/// What a command says about the explored area if it changes the size of the cells, so that their
/// numbers before and after cannot be compared.
struct AreaChange {
  private let explorer: Explorer
  private let radiusMeters: Double?
  private let explored: ExploredOverview?

  /// Measures the area before the change. A store that cannot be measured has none, because a
  /// rebuild may be about to repair it.
  init(of explorer: Explorer) {
    self.explorer = explorer
    radiusMeters = Self.radiusMeters(of: explorer)
    explored = try? explorer.overview().explored
  }

  /// `The cells are larger than before and cover 4.56 km² (1.23 km² before).` after the change; nil
  /// if they have the size that they had, or if there was none.
  func line() -> String? {
    guard let explored, explored.areaSquareKilometers > 0, let radiusMeters,
      let newRadiusMeters = Self.radiusMeters(of: explorer), newRadiusMeters != radiusMeters,
      let now = try? explorer.overview().explored
    else { return nil }
    let size = newRadiusMeters > radiusMeters ? "larger" : "smaller"
    return "The cells are \(size) than before and cover \(Self.text(now)) "
      + "(\(Self.text(explored)) before)."
  }

  private static func radiusMeters(of explorer: Explorer) -> Double? {
    let settings = try? explorer.settings()
    return settings?[.explorationRadiusMeters]
  }

  private static func text(_ explored: ExploredOverview) -> String {
    (explored.isEstimate ? "about " : "") + Wording.area(explored.areaSquareKilometers)
  }
}
