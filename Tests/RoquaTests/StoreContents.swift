import GeoStore
import GridHash

@testable import Roqua

/// What a store has, apart from its sources.
struct StoreContents: Equatable {
  var fixes: [KeptFix] = []
  var regions: [String] = []
  var coverage = Coverage()

  init(_ explorer: Explorer) throws {
    try explorer.read { snapshot in
      try snapshot.forEachChunkOfKeptFixes { fixes += $0 }
      coverage = try snapshot.coverage()
      for region in try snapshot.regions(in: .world) {
        let visits = try snapshot.visits(toRegion: region.id)
        regions.append(
          "\(region.id) \(region.coordinate) \(region.visitCount) \(region.place) \(visits)")
      }
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
    if coverage != other.coverage { differences.append("coverage") }
    return differences
  }
}
