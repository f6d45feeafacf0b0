/// A position of a file that was not kept, and where it is.
package struct LeftOutPosition: Hashable, Sendable {
  /// Why it was not kept.
  package enum Reason: Hashable, Sendable {
    /// It is not a fix.
    case skipped(SkipReason)
    /// A filter dropped it.
    case dropped(DropReason)

    /// The reason's name in the JSON report.
    package var name: String {
      switch self {
      case .skipped(let reason): reason.rawValue
      case .dropped(let reason): reason.rawValue
      }
    }
  }

  /// The reason.
  package let reason: Reason
  /// Its number among all positions of the file, kept or not, counted from 1.
  package let number: Int
  /// Its line, counted from 1; nil in a binary format.
  package let line: Int?
  /// The offset of its first byte in the expanded file, in UTF-8 if the text is in another
  /// encoding; nil if unknown.
  package let byte: Int?
}

extension LeftOutPosition {
  /// Whether it lies in a privacy zone. Lines and the file together would show where the zone is,
  /// so such positions are only counted.
  var isHidden: Bool { reason == .dropped(.privacyZone) }
}

/// The positions of a source that were not kept: how many for each reason, and where the first are.
///
/// - Memory: bounded by the number of reasons.
package struct LeftOutSummary: Sendable {
  /// The number of positions that are listed for each reason.
  package static let listedAtMost = 10

  /// The positions left out for one reason.
  package struct Entry: Sendable {
    /// The reason.
    package let reason: LeftOutPosition.Reason
    /// The first of them, at most ``LeftOutSummary/listedAtMost``.
    package fileprivate(set) var first: [LeftOutPosition] = []
    /// The number of all.
    package fileprivate(set) var count = 0
  }

  /// The reasons, in the order of their first occurrence.
  package private(set) var entries: [Entry] = []

  /// Creates an empty summary.
  package init() {}

  /// Adds a position.
  package mutating func add(_ position: LeftOutPosition) {
    let known = entries.firstIndex { $0.reason == position.reason }
    let index = known ?? entries.count
    if known == nil { entries.append(Entry(reason: position.reason)) }
    entries[index].count += 1
    if entries[index].first.count < Self.listedAtMost, !position.isHidden {
      entries[index].first.append(position)
    }
  }
}
