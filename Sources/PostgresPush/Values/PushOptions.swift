/// What a push shares with other people, and how.
///
/// ```swift
/// import PostgresPush
///
/// var options = PushOptions()
/// options.nearby = true
/// options.fixRows = false
/// let address = try PostgresAddress("postgres://anna@db.example.org/club")
/// let report = try await store.push(to: address, as: "anna", options: options)
/// print(report.written, "rows written")
/// ```
public struct PushOptions: Hashable, Sendable {
  /// Whether others may learn that this person has been near a point; nil leaves it as it is. No at
  /// first.
  public var nearby: Bool?
  /// Whether this person's tiles count in pictures for the public, which show only what many people
  /// have in common; nil leaves it as it is. No at first.
  public var isPublic: Bool?
  /// Whether kept fixes are also written one by one, for questions in SQL; nil leaves it as it is.
  /// No at first.
  public var fixRows: Bool?
  /// Whether sources that only the server has are deleted.
  public var replacesOthers = false

  /// Creates options that change nothing.
  public init() {}
}
