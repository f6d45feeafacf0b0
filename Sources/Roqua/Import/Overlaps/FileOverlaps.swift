import GeoStore

/// The sources that cover the same time as an imported file.
///
/// ```swift
/// for file in try await explorer.importTracks(at: tracks).files {
///   guard let longest = file.overlaps?.longest.first else { continue }
///   print("\(file.path) shares \(longest.seconds) s with \(longest.other.path)")
/// }
/// ```
package struct FileOverlaps: Hashable, Sendable {
  /// An overlap with another source.
  package struct Overlap: Hashable, Sendable {
    /// The other source.
    package let other: SourceOverlap.Member
    /// The time that both cover, in seconds.
    package let seconds: Double
    /// ``seconds`` as a share of the time that the shorter source covers, above 0 and at most 1.
    package let share: Double
    /// The share of ``seconds`` in which both are in the same place, 0...1.
    package let sharedPlace: Double
  }

  /// The number of overlaps that a report lists for each file.
  static let listedAtMost = 5

  /// The longest overlaps, at most five.
  package private(set) var longest: [Overlap] = []
  /// The number of all overlaps.
  package internal(set) var count = 0

  /// Adds the next overlap, which is not longer than those before it.
  mutating func add(_ overlap: SourceOverlap, with other: SourceOverlap.Member) {
    guard longest.count < Self.listedAtMost else { return }
    longest.append(
      Overlap(
        other: other, seconds: overlap.seconds, share: overlap.share,
        sharedPlace: overlap.sharedPlace))
  }

  /// The members `overlaps` and `overlapCount` of a file's entry.
  var jsonMembers: [JSONValue.Member] {
    [
      .init(
        "overlaps",
        .array(
          longest.map { overlap in
            [
              "path": .string(overlap.other.path), "sha256": .string(overlap.other.sha256),
              "seconds": .number(overlap.seconds), "share": .number(overlap.share),
              "sharedPlace": .number(overlap.sharedPlace),
            ]
          })),
      .init("overlapCount", .integer(count)),
    ]
  }
}
