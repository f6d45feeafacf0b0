/// What was written to a database of the Roqua app.
///
/// ```swift
/// let file = URL.temporaryDirectory.appending(path: "Roqua.sqlite")
/// let export = try await explorer.exportAppDatabase(to: file, replacing: true)
/// print("\(export.regions) regions, \(export.undatedRegions) of them without a time")
/// ```
public struct AppDatabaseExport: Hashable, Sendable {
  /// The path as given.
  public let path: String
  /// Bytes of the file.
  public let bytes: Int
  /// Visited regions: rows of the app's table.
  public let regions: Int
  /// Those of them without a time. The app keeps their rows but does not list them.
  public let undatedRegions: Int
}
