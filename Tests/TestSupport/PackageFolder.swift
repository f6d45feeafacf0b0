import Foundation

/// Where this package's own files are.
public enum PackageFolder {
  /// The package's root, above `Tests`.
  public static let path = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  /// The folder of the sample tracks.
  public static let samples = path + "/data/samples"

  /// The path of a sample track.
  public static func sample(_ name: String) -> String { samples + "/" + name }

  /// The paths of all sample tracks, by name.
  public static func allSamples() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: samples).sorted().map(sample)
  }
}
