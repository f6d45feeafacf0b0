/// A reason of the program's own for which it does not use a database. The layers above add theirs
/// as static members, so that this one needs to know nothing of what the database contains.
///
/// ```swift
/// do {
///   print(try await Explorer(storePath: "tracks.roqua").statistics().cells)
/// } catch DatabaseError.refused(let path, let refusal) {
///   print("\(path): \(refusal.reason)")
/// }
/// ```
public struct DatabaseRefusal: Hashable, Sendable {
  /// What is wrong, in words that follow the path and a colon. Two refusals with one reason are the
  /// same.
  public let reason: String

  /// Creates a reason.
  package init(_ reason: String) { self.reason = reason }
}
