import Geodesy

/// Something to achieve: a metric, and the values of it that earn a tier.
///
/// ```swift
/// var catalog = AchievementCatalog.bundled
/// try catalog.add(
///   Achievement(
///     id: "photographer", category: "photos", icon: "📷",
///     metric: AchievementMetric(.custom, argument: "photos"), tiers: [10, 100, 1_000]),
///   title: ["en": "Photographer"], description: ["en": "Take photos."])
/// ```
public struct Achievement: Hashable, Sendable, Identifiable {
  /// The name in the store and in JSON, which must never change: lower-case letters, digits and
  /// hyphens.
  public let id: String
  /// The id of the category.
  public let category: String
  /// An emoji.
  public let icon: String
  /// What it counts.
  public let metric: AchievementMetric
  /// The values that earn a tier, in ascending order; at least one.
  public let tiers: [Double]

  /// Creates an achievement.
  public init(
    id: String, category: String, icon: String, metric: AchievementMetric, tiers: [Double]
  ) {
    self.id = id
    self.category = category
    self.icon = icon
    self.metric = metric
    self.tiers = tiers
  }

  /// Why it cannot be part of a catalog; nil if it can.
  var problem: String? {
    if !Self.isName(id) {
      return "\"\(id)\" is not an id of lower-case letters, digits and hyphens"
    }
    if !Self.isName(category) {
      return "\"\(category)\" is not a category of lower-case letters, digits and hyphens"
    }
    if icon.isEmpty { return "the icon is missing" }
    if let problem = metric.problem { return problem }
    guard let first = tiers.first else { return "the tiers are missing" }
    if !tiers.allSatisfy({ $0.isFinite }) || first <= 0 { return "a tier must be above 0" }
    if zip(tiers, tiers.dropFirst()).contains(where: { $0 >= $1 }) {
      return "the tiers do not ascend"
    }
    if metric.origin == .heights,
      tiers.contains(where: { $0.truncatingRemainder(dividingBy: HeightProfile.stepMeters) != 0 })
    {
      return "a tier of \(metric.kind.rawValue) is not a multiple of "
        + "\(Int(HeightProfile.stepMeters)) m"
    }
    return nil
  }

  private static func isName(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy {
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
      }
  }
}
