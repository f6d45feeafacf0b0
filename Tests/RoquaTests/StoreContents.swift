import GeoStore
import GridHash

@testable import Roqua

/// What a store has, apart from its sources.
struct StoreContents: Equatable {
  var fixes: [KeptFix] = []
  var regions: [String] = []
  var coverage = Coverage()
  /// Value and unlocked tiers of each achievement; empty if they were not asked for.
  var achievements: [String] = []

  init(_ explorer: Explorer, includingAchievements: Bool = false) throws {
    try explorer.read { snapshot in
      try snapshot.forEachChunkOfKeptFixes { fixes += $0 }
      coverage = try snapshot.coverage()
      for region in try snapshot.regions(in: .world) {
        let visits = try snapshot.visits(toRegion: region.id)
        regions.append(
          "\(region.id) \(region.coordinate) \(region.visitCount) \(region.place) \(visits)")
      }
    }
    guard includingAchievements else { return }
    achievements = try explorer.achievements().items.map { item in
      let tiers = item.unlocks.map { "\($0.tier) \($0.time?.iso8601 ?? "-")" }
      // Areas are sums, whose last digits depend on their order.
      let value = item.value.map { "\(($0 * 1e6).rounded() / 1e6)" } ?? "-"
      return "\(item.id) \(value) \(tiers)"
    }
  }

  /// What differs from other contents: the first difference of each kind.
  func differences(from other: StoreContents) -> [String] {
    var differences: [String] = []
    func compare<T: Equatable>(_ name: String, _ ours: [T], _ theirs: [T]) {
      guard ours != theirs else { return }
      let index = zip(ours, theirs).enumerated().first { $0.element.0 != $0.element.1 }?.offset
      let first = index.map { "number \($0): \(ours[$0]) and \(theirs[$0])" } ?? "first ones equal"
      differences.append("\(name): \(ours.count) and \(theirs.count), \(first)")
    }
    compare("kept fixes", fixes, other.fixes)
    compare("regions", regions, other.regions)
    compare("achievements", achievements, other.achievements)
    if coverage != other.coverage { differences.append("coverage") }
    return differences
  }
}
