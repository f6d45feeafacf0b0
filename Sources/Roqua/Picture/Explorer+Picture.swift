import ByteStreams
import FogMap
import GeoStore
import SQLiteLayer

extension Explorer {
  /// Does what the async form does, on the calling thread; the path `-` is standard output.
  package func writePicture(
    to path: String, options: PictureOptions = PictureOptions(), of query: MapQuery = MapQuery(),
    replacing isReplacing: Bool = false
  ) throws -> PictureReport {
    guard let format = options.format ?? PictureOptions.Format(path: path) else {
      throw DatabaseError.cannotWrite(
        path: path, reason: "its name does not end in .png, .webp or .svg")
    }
    let file = try DatabaseOutput(path: path, keeping: store.files, replacing: isReplacing)
    WorkMeter.current?.begin(.drawing)
    let maker = PictureMaker(
      explorer: self, options: options, query: query, format: format, path: path)
    let report = try read { try maker.write(of: $0, to: file) }
    try file.finish()
    return report
  }
}

extension PictureOptions.Format {
  /// The format that a path ends with, in any case; nil for another one.
  package init?(path: String) {
    let name = FilePath(path).name.lowercased()
    guard let format = Self.allCases.first(where: { name.hasSuffix(".\($0.rawValue)") }) else {
      return nil
    }
    self = format
  }
}
