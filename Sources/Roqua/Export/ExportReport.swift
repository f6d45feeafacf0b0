import GeoStore

/// A file that an export wrote.
///
/// ```swift
/// let file = URL(filePath: "fixes.csv")
/// let report = try await explorer.export(to: file, options: ExportOptions(format: .csv))
/// print("\(report.bytes) bytes")
/// ```
public struct ExportReport: Sendable, Hashable {
  /// A layer of the file.
  public struct Layer: Sendable, Hashable {
    /// What its features are.
    public let layer: ExportOptions.Layer
    /// The number of its features.
    public let features: Int
  }

  /// The path as given; `-` for standard output.
  package let path: String
  /// The format.
  package let format: ExportOptions.Format
  /// The size in bytes; of a folder, the sum of its files.
  public let bytes: Int
  /// The layers in the order of the file.
  public let layers: [Layer]
  /// What the export does not contain, one sentence each.
  public let notes: [String]
}

extension ExportReport {
  /// The document that `roqua export --json` prints.
  package var json: JSONValue {
    [
      "path": .string(path), "format": .string(format.rawValue), "bytes": .integer(bytes),
      "layers": .array(
        layers.map { ["name": .string($0.layer.rawValue), "features": .integer($0.features)] }),
      "notes": .array(notes.map { .string($0) }),
    ]
  }
}
