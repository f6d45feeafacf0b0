import Foundation

/// A folder for one test, deleted with its contents when the test releases it.
public final class TemporaryFolder {
  /// The path of the folder.
  public let path: String

  /// Creates a new folder in the system's temporary folder.
  public init() throws {
    path = NSTemporaryDirectory() + "/roqua-test-" + UUID().uuidString
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Returns the path of a file in the folder.
  public func file(_ name: String) -> String { path + "/" + name }

  /// Writes a file into the folder, creates missing subfolders, and returns the path of the file.
  @discardableResult
  public func write(_ text: String, to name: String) throws -> String {
    try write(Array(text.utf8), to: name)
  }

  /// Writes a file into the folder, creates missing subfolders, and returns the path of the file.
  @discardableResult
  public func write(_ bytes: [UInt8], to name: String) throws -> String {
    let url = URL(fileURLWithPath: file(name))
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
    return file(name)
  }
}
