/// The reason why a position in a file is not a fix. Raw values are the names in the JSON report.
///
/// ```swift
/// for file in try await explorer.importTracks(at: tracks).files {
///   print("\(file.path): \(file.track.skipped[.badChecksum]) sentences with a bad checksum")
/// }
/// ```
public enum SkipReason: String, CaseIterable, Sendable {
  /// Latitude or longitude missing, not a number, or out of range.
  case invalidCoordinate
  /// The receiver reports no fix: status V, quality 0, a simulator.
  case noFix
  /// The checksum of the sentence does not match its bytes.
  case badChecksum
}

/// The reason why the filter dropped a fix. Raw values are the names in the JSON report.
///
/// If several reasons apply, ``privacyZone`` is given, otherwise the first.
///
/// ```swift
/// let files = try await explorer.importTracks(at: tracks).files
/// let inaccurate = files.reduce(0) { $0 + $1.track.dropped[.inaccurate] }
/// print("\(inaccurate) inaccurate fixes dropped")
/// ```
public enum DropReason: String, CaseIterable, Sendable {
  /// Exactly 0° N 0° E.
  case nullIsland
  /// Horizontal accuracy worse than the limit, or not greater than zero.
  case inaccurate
  /// Sooner after the last kept fix than the limit allows.
  case tooSoon
  /// Closer to the last kept fix of its segment than the limit allows.
  case tooClose
  /// An implausible jump: a lone fix that is too far from those before and after it.
  case implausible
  /// In a privacy zone. The track is cut there: the next kept fix starts a segment.
  case privacyZone
}

/// Counts by reason.
///
/// ```swift
/// for file in try await explorer.importTracks(at: tracks).files {
///   for (reason, count) in file.track.dropped.nonZero { print(file.path, reason, count) }
/// }
/// ```
public struct Tally<Reason: RawRepresentable & CaseIterable & Hashable & Sendable>: Hashable,
  Sendable
where Reason.RawValue == String {
  /// In the order of the cases; empty until the first is counted. A linear search of half a dozen
  /// elements is faster than hashing.
  private var counts: [(reason: Reason, count: Int)] = []

  /// Creates a tally with all counts zero.
  package init() {}

  /// The count of one reason, 0 or more.
  public package(set) subscript(reason: Reason) -> Int {
    get { counts.first { $0.reason == reason }?.count ?? 0 }
    set {
      if counts.isEmpty { counts = Reason.allCases.map { ($0, 0) } }
      if let index = counts.firstIndex(where: { $0.reason == reason }) {
        counts[index].count = newValue
      }
    }
  }

  /// Counts one more for a reason, with one search where `+= 1` takes two.
  @inline(__always)
  mutating func add(_ reason: Reason) {
    for index in counts.indices where counts[index].reason == reason {
      counts[index].count += 1
      return
    }
    self[reason] = 1
  }

  /// The sum over all reasons.
  public var total: Int { counts.reduce(0) { $0 + $1.count } }

  /// The reasons with a count above 0, in the order of the cases.
  public var nonZero: [(reason: Reason, count: Int)] { counts.filter { $0.count != 0 } }

  /// Returns true if all counts are equal.
  public static func == (left: Tally, right: Tally) -> Bool {
    left.nonZero.elementsEqual(right.nonZero) { $0 == $1 }
  }

  /// Hashes the counts that are not zero.
  public func hash(into hasher: inout Hasher) {
    for (reason, count) in nonZero {
      hasher.combine(reason)
      hasher.combine(count)
    }
  }
}
