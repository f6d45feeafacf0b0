/// An error in a file of the catalog, or in an achievement of an app.
///
/// ```swift
/// func add(_ own: Achievement, called title: String, to catalog: inout AchievementCatalog) {
///   do throws(CatalogError) {
///     try catalog.add(own, title: ["en": title], description: [:])
///   } catch {
///     print("\(own.id) is left out: \(error.reason)")
///   }
/// }
/// ```
public struct CatalogError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The name of the file; nil for an achievement of an app.
  package let file: String?
  /// The line, counted from 1; nil if the error is about the whole.
  package let line: Int?
  /// What is wrong.
  public let reason: String

  /// The file, the line and the reason.
  public var description: String {
    let place = [file, line.map(String.init)].compactMap(\.self).joined(separator: ":")
    return place.isEmpty ? reason : "\(place): \(reason)"
  }
}
