import ByteStreams
import FogMap
import GeoStore
import SQLiteLayer

extension Explorer {
  /// Writes a picture of the explored area: PNG, WebP or SVG, a poster, or a film. The file is
  /// readable by its owner only, gets its name once it is complete, and never replaces the store.
  ///
  /// ```swift
  /// var options = PictureOptions(projection: .globe)
  /// options.isPoster = true
  /// let picture = try await explorer.writePicture(to: "globe.png", options: options)
  /// print("\(picture.width) × \(picture.height)")
  /// ```
  ///
  /// - Parameters:
  ///   - path: the path of the file, whose name ends with the format if the options give none; `-`
  ///     for standard output.
  ///   - options: the format, the size in pixels, and how the area is drawn.
  ///   - query: what the picture shows. Nothing near a privacy zone is.
  ///   - isReplacing: true to replace an existing file.
  /// - Throws: `DatabaseError.fileExists(path:)`, `DatabaseError.cannotWrite(path:reason:)`, and
  ///   errors of reading the store.
  /// - Complexity: O(pixels + explored cells); memory for the coverage and some rows of pixels.
  public func writePicture(
    to path: String, options: PictureOptions = PictureOptions(), of query: MapQuery = MapQuery(),
    replacing isReplacing: Bool = false
  ) throws -> PictureReport {
    guard let format = options.format ?? PictureOptions.Format(path: path) else {
      throw DatabaseError.cannotWrite(
        path: path, reason: "its name does not end in .png, .webp or .svg")
    }
    let file = try DatabaseOutput(path: path, keeping: store.files, replacing: isReplacing)
    let maker = PictureMaker(
      explorer: self, options: options, query: query, format: format, path: path)
    let report = try read { try maker.write(of: $0, to: file) }
    try file.finish()
    return report
  }
}

extension PictureOptions.Format {
  /// The format that a path ends with, in any case; nil for another one.
  public init?(path: String) {
    let name = FilePath(path).name.lowercased()
    guard let format = Self.allCases.first(where: { name.hasSuffix(".\($0.rawValue)") }) else {
      return nil
    }
    self = format
  }
}
