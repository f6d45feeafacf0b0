import Achievements
import Foundation
import Geodesy
import Roqua

/// Achievements in words and bars.
struct AchievementSummary {
  let report: AchievementReport
  let language: String
  /// The width of the terminal; nil for none.
  var width = TerminalWidth.current
  var colors = TerminalColors.current
  var units = CurrentUnits.system

  /// - Parameters:
  ///   - byCategory: whether to print the items under the titles of their categories.
  ///   - isPart: whether only one category was asked for.
  func print(_ items: [AchievementReport.Item], byCategory: Bool, isPart: Bool) {
    lines(items, byCategory: byCategory, isPart: isPart).forEach {
      Console.printLines($0 + "\n")
    }
  }

  /// The lines. Texts of a catalog passed ``Console/safe(_:)``; only colors are added after.
  func lines(_ items: [AchievementReport.Item], byCategory: Bool, isPart: Bool) -> [String] {
    let total =
      "\(Wording.count(report.unlockedTiers)) \(word(.of)) \(Wording.count(report.allTiers)) "
      + word(.tiers)
    let columns = items.map { TextWidth.columns(of: amount($0)) }.max() ?? 0
    guard byCategory else { return items.flatMap { self.lines(of: $0, amounts: columns) } }
    var lines = isPart ? [] : [total]
    for category in report.catalog.categories {
      let members = items.filter { $0.achievement.category == category }
      if members.isEmpty { continue }
      if !lines.isEmpty { lines.append("") }
      let title = Console.safe(report.catalog.title(ofCategory: category, in: language))
      lines += [colors.bold(title)] + members.flatMap { self.lines(of: $0, amounts: columns) }
    }
    return lines
  }

  /// The columns of a bar.
  private var barColumns: Int { width.map { min(24, max(10, $0 / 5)) } ?? 20 }

  /// The title, the bar and the value; the description; the tiers, and the last one reached.
  ///
  /// - Parameter amounts: the columns of the widest value, so that all bars begin in one column.
  private func lines(of item: AchievementReport.Item, amounts: Int) -> [String] {
    let achievement = item.achievement
    let title = Console.safe(report.catalog.title(of: achievement.id, in: language))
    let text = Console.safe(report.catalog.description(of: achievement.id, in: language))
    let marks = achievement.tiers.map { tier in
      item.unlocks.contains { $0.tier == tier } ? "●" : "○"
    }.joined()
    let available = min(width ?? 80, 100) - 5
    let value = bar(item) + "  " + amount(item)
    let titleColumns = available - barColumns - amounts - 4
    var lines: [String] = []
    if titleColumns >= 24 {
      let head = fitted(title, to: titleColumns)
      let gap = titleColumns - TextWidth.columns(of: head) + 2
      lines.append(icon(item) + colors.bold(head) + String(repeating: " ", count: gap) + value)
    } else {
      lines.append(icon(item) + colors.bold(fitted(title, to: available)))
      lines.append("    " + value)
    }
    for line in wrapped(text, to: available) { lines.append("    " + colors.dim(line)) }
    let last = item.unlocks.last.map { unlock in
      let date = unlock.time.map { ", \($0.iso8601.prefix(10))" } ?? ""
      return "  " + number(unlock.tier, achievement.metric) + date
    }
    let isNew = item.newUnlocks.isEmpty ? "" : "  " + word(.new)
    let columns = TextWidth.columns(of: marks + (last ?? "") + isNew)
    if columns > available {
      lines.append("    " + colors.green(marks))
      lines.append("  " + (last ?? "") + colors.green(isNew))
    } else {
      lines.append("    " + colors.green(marks) + (last ?? "") + colors.green(isNew))
    }
    return lines
  }

  private func word(_ word: AchievementWord) -> String {
    Console.safe(report.catalog.word(word, in: language))
  }

  /// Two columns of an icon and two blanks.
  private func icon(_ item: AchievementReport.Item) -> String {
    let icon = Console.safe(item.achievement.icon)
    return icon + String(repeating: " ", count: max(1, 4 - TextWidth.columns(of: icon)))
  }

  private func bar(_ item: AchievementReport.Item) -> String {
    let eighths = Int((item.share * Double(barColumns * 8)).rounded(.down))
    let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
    let full = String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
    let rest = barColumns - (eighths + 7) / 8
    return colors.green(full) + colors.dim(String(repeating: "·", count: rest))
  }

  /// The value and the next tier: `12 of 25`.
  private func amount(_ item: AchievementReport.Item) -> String {
    let metric = item.achievement.metric
    let value = reached(item).map { number($0, metric, isValue: true) } ?? "none"
    guard let next = item.nextTier else { return "\(value), \(word(.allReached))" }
    return "\(value) \(word(.of)) \(number(next, metric))"
  }

  /// The value; nil where there is none. A negative depth is a height above sea level.
  private func reached(_ item: AchievementReport.Item) -> Double? {
    item.value.flatMap { $0 < 0 && item.achievement.metric.kind == .lowest ? nil : $0 }
  }

  /// A value with its unit. Values are rounded down, and tiers in other units up, so that no tier
  /// seems to be reached early.
  private func number(_ value: Double, _ metric: AchievementMetric, isValue: Bool = false) -> String
  {
    switch metric.unit {
    case .count: return Wording.count(Int(value))
    case .days: return "\(Wording.count(Int(value))) d"
    case .kilometers where units == .imperial:
      return "\(converted(value / 1.609_344, isValue)) mi"
    case .kilometers: return "\(plain(value, isValue)) km"
    case .squareKilometers where units == .imperial:
      return "\(converted(value / Wording.squareKilometersPerMile, isValue)) sq mi"
    case .squareKilometers: return "\(plain(value, isValue)) km²"
    case .percent: return "\(plain(value, isValue)) %"
    case .degrees: return "\(plain(value, isValue))°"
    case .meters where units == .imperial:
      return "\(Wording.count(Int((value / 0.304_8).rounded(isValue ? .down : .up)))) ft"
    case .meters: return "\(plain(value.rounded(isValue ? .down : .toNearestOrEven), isValue)) m"
    }
  }

  /// A number in another unit than that of the tiers.
  private func converted(_ value: Double, _ isValue: Bool) -> String {
    let scale = abs(value) >= 1_000 ? 1.0 : abs(value) >= 100 ? 10.0 : 100.0
    return plain((value * scale).rounded(isValue ? .down : .up) / scale, false)
  }

  private func plain(_ value: Double, _ isValue: Bool) -> String {
    if abs(value) >= 1_000 || value.rounded() == value { return Wording.count(Int(value)) }
    let scale = abs(value) >= 100 ? 10.0 : 100.0
    let rounded = isValue ? (value * scale).rounded(.down) / scale : value
    return Wording.plain(rounded)
  }

  private func fitted(_ text: String, to columns: Int) -> String {
    guard TextWidth.columns(of: text) > columns else { return text }
    var short = text
    while !short.isEmpty, TextWidth.columns(of: short) >= columns { short.removeLast() }
    return short + "…"
  }

  private func wrapped(_ text: String, to columns: Int) -> [String] {
    text.split(separator: " ").reduce(into: [String]()) { lines, word in
      if let last = lines.last,
        TextWidth.columns(of: last) + 1 + TextWidth.columns(of: String(word)) <= columns
      {
        lines[lines.count - 1] += " \(word)"
      } else {
        lines.append(String(word))
      }
    }
  }
}
