import GeoStore
import Roqua

/// What `roqua settings` says about the change of a setting.
struct SettingsSummary {
  private let impact: SettingsImpact
  private let key: SettingKey
  private let isDryRun: Bool

  init(_ impact: SettingsImpact, of key: SettingKey, isDryRun: Bool) {
    (self.impact, self.key, self.isDryRun) = (impact, key, isDryRun)
  }

  // MARK: Text

  /// The lines for people.
  var lines: [String] {
    let (before, after) = (impact.change.before, impact.change.after)
    let value = SettingValue.text(of: key, in: after)
    guard !impact.change.keys.isEmpty else {
      return isDryRun ? ["Nothing would change: \(key.rawValue) is \(value)."] : []
    }
    var lines: [String] = []
    if isDryRun {
      lines.append(
        "\(key.rawValue) would be \(value) (\(SettingValue.text(of: key, in: before)) now).")
    }
    lines += rebuildLines
    lines += impact.filterLimits.flatMap(limitLines)
    if isDryRun, lines.count == 1 { lines.append("Nothing would be rebuilt.") }
    return lines
  }

  private var rebuildLines: [String] {
    guard impact.isRebuild else { return [] }
    guard impact.sources > 0 else {
      return isDryRun ? ["The store is empty: there is nothing to rebuild."] : []
    }
    var lines = [
      "\(names) \(isDryRun ? "would be" : "were") rebuilt from the data of "
        + "\(Wording.count(impact.sources, "source")) "
        + "(\(Wording.count(impact.keptFixes, "kept fix", "kept fixes")))."
    ]
    if let fixes = impact.fixesInFlight {
      let count = Wording.count(fixes, "kept fix", "kept fixes")
      let what = impact.change.after.flightsExplore ? "" : " nothing"
      let verb = isDryRun ? "would explore" : fixes == 1 ? "explores" : "explore"
      lines.append("\(count) in flight \(verb)\(what)\(isDryRun ? "" : " now").")
    }
    if let before = impact.sizeBefore {
      lines.append(
        impact.sizeAfter.map { SizeChange.text(from: before, to: $0) } ?? Self.text(before))
    }
    return lines
  }

  private static func text(_ size: MaintenanceReport.Size) -> String {
    "The store has \(Wording.count(size.visitedRegions, "region")), "
      + "\(Wording.count(size.visits, "visit")), "
      + "\(Wording.count(size.cells, "explored cell")) now."
  }

  /// `Regions and coverage`: what depends on the setting.
  private var names: String {
    let names = DerivedData.allCases.filter(impact.affected.contains).map(\.rawValue)
    let text = names.count < 3 ? names.joined(separator: " and ") : "regions, visits and coverage"
    return text.prefix(1).uppercased() + text.dropFirst()
  }

  private func limitLines(_ limit: SettingsImpact.FilterLimit) -> [String] {
    var lines = [
      "The setting \(isDryRun ? "would apply" : "applies") to later imports and recordings."
    ]
    let advice = "forget the sources (roqua forget) and import their files again"
    if limit.isLooser, limit.dropped > 0 {
      lines.append(
        "\(Wording.count(limit.dropped, "point")) that the old limit dropped "
          + "\(limit.dropped == 1 ? "is" : "are") not in the store. To get those that the new one "
          + "lets pass, \(advice).")
    } else if limit.isStricter, impact.keptFixes > 0 {
      lines.append(
        "\(Wording.count(impact.keptFixes, "kept fix", "kept fixes")) "
          + "\(isDryRun ? "would stay" : "stay"), also those that the new limit drops. To apply "
          + "it to them, \(advice).")
    }
    return lines
  }

  // MARK: JSON

  /// The document: the value in the store, and the impact of the change.
  var json: JSONValue {
    let (before, after) = (impact.change.before, impact.change.after)
    let members: [JSONValue.Member] = [
      .init("dryRun", .bool(isDryRun)), .init("changed", .bool(!impact.change.keys.isEmpty)),
      .init("before", SettingValue.json(of: key, in: before)),
      .init("after", SettingValue.json(of: key, in: after)),
    ]
    return .object([
      .init(key.rawValue, SettingValue.json((isDryRun ? before : after)[key], for: key)),
      .init("impact", .object(members + impact.jsonMembers)),
    ])
  }
}
