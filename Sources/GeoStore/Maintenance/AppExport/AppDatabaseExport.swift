/// The result of an export to a database of the Roqua app.
///
/// ```swift
/// let file = URL.temporaryDirectory.appending(path: "Roqua.sqlite")
/// let export = try await explorer.exportAppDatabase(to: file, replacing: true)
/// print("\(export.regions) regions, \(export.undatedRegions) of them without a time")
/// ```
public struct AppDatabaseExport: Hashable, Sendable {
  /// The path as given.
  package let path: String
  /// Size of the file in bytes.
  public let bytes: Int
  /// Number of visited regions: rows of the app's table.
  public let regions: Int
  /// Number of those regions without a time. The app keeps their rows but does not list them.
  public let undatedRegions: Int
}
