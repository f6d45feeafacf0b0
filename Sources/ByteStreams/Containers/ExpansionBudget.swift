/// The number of bytes that all members of an archive together may still expand to, including those
/// of the archives and gzip streams in it. It limits the effect of undetected overlaps, of nesting,
/// and of many small streams. Not `Sendable`.
package final class ExpansionBudget {
  /// The number of bytes expanded so far.
  private var spent = 0
  /// The number of bytes that may be expanded.
  private var granted: Int

  /// The budget of an archive of which `byteCount` bytes are known to exist.
  package init(byteCount: Int) { granted = ExpansionLimit.bytes(from: byteCount) }

  /// True if nothing more may be expanded.
  var isSpent: Bool { spent >= granted }

  /// Takes note of expanded bytes.
  func spend(_ count: Int) { spent &+= min(count, .max - spent) }

  /// Takes note that the archive has at least this many bytes.
  package func grant(byteCount: Int) {
    granted = max(granted, ExpansionLimit.bytes(from: byteCount))
  }
}
