/// Why a position in a file never became a fix. Raw values are the names of the JSON report.
public enum SkipReason: String, CaseIterable, Sendable {
  /// Latitude or longitude missing, not a number, or out of range.
  case invalidCoordinate
  /// The receiver itself says that it has no fix: status V, quality 0, a simulator.
  case noFix
  /// The checksum of the sentence does not match its bytes.
  case badChecksum
}

/// Why the filter left a fix out. Raw values are the names of the JSON report.
public enum DropReason: String, CaseIterable, Sendable {
  /// Exactly 0° N 0° E.
  case nullIsland
  /// Horizontal accuracy worse than the setting, or not above zero.
  case inaccurate
  /// Sooner after the last kept fix than the setting allows.
  case tooSoon
  /// Nearer to the last kept fix of its segment than the setting allows.
  case tooClose
  /// A lone fix that no traveller could have reached and left again.
  case implausible
}

/// A count for each reason.
public struct Tally<Reason: RawRepresentable & CaseIterable & Hashable & Sendable>: Hashable, Sendable
where Reason.RawValue == String {
  private var counts: [Reason: Int] = [:]

  /// All counts zero.
  public init() {}

  /// The count of one reason, 0 or more.
  public subscript(reason: Reason) -> Int {
    get { counts[reason] ?? 0 }
    set { counts[reason] = newValue == 0 ? nil : newValue }
  }

  /// The sum over all reasons.
  public var total: Int { counts.values.reduce(0, +) }

  /// The reasons that occurred with their counts, in the order in which the cases are declared.
  public var nonZero: [(reason: Reason, count: Int)] {
    Reason.allCases.compactMap { reason in counts[reason].map { (reason, $0) } }
  }
}
