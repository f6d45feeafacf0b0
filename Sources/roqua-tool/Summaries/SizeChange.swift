import GeoStore

/// What a command says about the size of the store that it changed.
enum SizeChange {
  /// The number of regions, visits and cells before and after. A zone may split a region into two.
  static func text(_ result: MaintenanceReport, isDryRun: Bool = false) -> String {
    text(from: result.before, to: result.after, isDryRun: isDryRun)
  }

  /// The number of regions, visits and cells before and after.
  static func text(
    from old: MaintenanceReport.Size, to new: MaintenanceReport.Size, isDryRun: Bool = false
  ) -> String {
    func count(_ before: Int, _ after: Int, _ name: String) -> String {
      "\(Wording.count(after, name)) (\(Wording.count(before)) \(isDryRun ? "now" : "before"))"
    }
    let start = isDryRun ? "The store would have" : "The store has"
    return "\(start) \(count(old.visitedRegions, new.visitedRegions, "region")), "
      + "\(count(old.visits, new.visits, "visit")), "
      + count(old.cells, new.cells, "explored cell") + "."
  }
}
