import Foundation

/// The locations of this package's files.
public enum PackageFolder {
  /// The root of the package, the folder that contains `Tests`.
  public static let path = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().path

  /// The folder with the sample tracks.
  public static let samples = path + "/data/samples"

  /// Returns the path of a sample track.
  public static func sample(_ name: String) -> String { samples + "/" + name }

  /// Returns the paths of all sample tracks, sorted by name.
  public static func allSamples() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: samples).sorted().map(sample)
  }
}
