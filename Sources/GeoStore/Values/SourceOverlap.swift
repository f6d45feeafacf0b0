import Geodesy

/// Time that two sources cover: the same ride from two devices or in two formats, or two devices
/// apart. It adds no visit and no cell twice.
///
/// A source covers the time from fix to fix, wherever two of its kept fixes are at most
/// `visitGapMinutes` apart. Two sources overlap in the time that both cover.
///
/// ```swift
/// for overlap in try await explorer.overlaps().list where overlap.sharedPlace > 0.5 {
///   let minutes = Int(overlap.seconds / 60)
///   print("\(overlap.first.path) and \(overlap.second.path): the same \(minutes) minutes")
/// }
/// ```
public struct SourceOverlap: Hashable, Sendable {
  /// A source of the pair.
  public struct Member: Hashable, Sendable, Identifiable {
    /// Its number, in the order of import.
    public let id: Int64
    /// SHA-256 of its (decompressed) bytes, 64 lowercase hexadecimal digits.
    package let sha256: String
    /// The path from which it was imported.
    public let path: String
  }

  /// The source that was imported first.
  public let first: Member
  /// The source that was imported later.
  public let second: Member
  /// The time that both cover, in seconds; more than 0.
  public let seconds: Double
  /// ``seconds`` as a share of the time that the shorter source covers, above 0 and at most 1.
  public let share: Double
  /// The share of ``seconds`` in which the sources are within the exploration radius of each other,
  /// 0...1: about 1 for the same trip. It is measured at 100 evenly spaced moments, between fixes
  /// on the straight line.
  public let sharedPlace: Double

  /// Returns the other source of the pair.
  package func other(than id: Int64) -> Member { first.id == id ? second : first }
}

/// The overlaps of a store's sources.
///
/// ```swift
/// let overlaps = try await explorer.overlaps()
/// print("\(overlaps.list.count) pairs of sources cover the same time")
/// if !overlaps.isComplete { print("and there are more") }
/// ```
public struct SourceOverlaps: Hashable, Sendable {
  /// The overlaps, the longest first; those of equal length in the order of import.
  public package(set) var list: [SourceOverlap] = []
  /// False if there are more pairs than the search keeps (50 000), or other sources with more fixes
  /// than it reads: then overlaps are missing, and those in the list may be longer.
  public package(set) var isComplete = true
  /// The number of overlaps of each wanted source, in the list or not.
  package var counts: [StoredSource.ID: Int] = [:]
  /// The lengths of all overlaps in seconds, in the list or not, the longest first.
  package var seconds: [Double] = []

  /// Creates an empty list.
  package init() {}
}
