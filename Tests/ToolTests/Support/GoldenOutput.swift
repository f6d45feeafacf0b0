import Foundation
import Testing

/// Compares output with `Golden/<name>.txt`, which contains the tool's exact output.
///
/// `ROQUA_UPDATE_GOLDEN=1 swift test --filter …` writes the files instead; review the difference
/// before you commit it. A missing file is a failure.
func expectGolden(
  _ output: String, _ name: String, sourceLocation: SourceLocation = #_sourceLocation
) throws {
  let file = GoldenFiles.folder.appendingPathComponent(name + ".txt")
  if ProcessInfo.processInfo.environment["ROQUA_UPDATE_GOLDEN"] == "1" {
    try FileManager.default.createDirectory(
      at: GoldenFiles.folder, withIntermediateDirectories: true)
    try output.write(to: file, atomically: true, encoding: .utf8)
    return
  }
  guard let expected = try? String(contentsOf: file, encoding: .utf8) else {
    Issue.record("There is no \(file.path).", sourceLocation: sourceLocation)
    return
  }
  #expect(
    output == expected, "\(name).txt: set ROQUA_UPDATE_GOLDEN=1 to rewrite it",
    sourceLocation: sourceLocation)
}

private enum GoldenFiles {
  /// `Tests/ToolTests/Golden`.
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Golden")
}
