import ByteStreams
import Foundation
import GeoExport
import GeoStore
import SQLiteLayer

/// The file that an export writes, and the writer of its format.
final class ExportTarget {
  /// The writer.
  let writer: any LayerWriter
  private let file: DatabaseOutput
  private let path: String
  private let stream: ExportStream

  /// Starts a file.
  ///
  /// - Parameters:
  ///   - layerCount: the number of layers that it will have.
  ///   - files: files that are never replaced, with a description of each.
  ///   - now: the time of the export.
  init(
    path: String, _ format: ExportOptions.Format, layerCount: Int,
    keeping files: [FileIdentity: String], replacing isReplacing: Bool, now: Timestamp
  ) throws(DatabaseError) {
    self.path = path
    if path == "-", !format.isStreamable {
      throw .cannotWrite(
        path: path, reason: "a file of \(format.rawValue) cannot be written to standard output")
    }
    let file = try DatabaseOutput(path: path, keeping: files, replacing: isReplacing)
    self.file = file
    if file.partialPath == nil, !format.isStreamable {
      throw .cannotWrite(path: path, reason: "it is not a file")
    }
    let stream = ExportStream { file.write($0) }
    self.stream = stream
    let description = ExportDescription(
      title: Self.title, creator: "Roqua", created: now.millisecondsSince1970)
    do throws(ExportFailure) {
      switch format {
      case .geoPackage:
        writer = try GeoPackageWriter(path: file.partialPath ?? "", description: description)
      case .spatiaLite:
        writer = try SpatiaLiteWriter(path: file.partialPath ?? "", description: description)
      default: writer = try Self.writer(format, layerCount: layerCount, to: stream)
      }
    } catch {
      throw Self.error(for: error, path: path)
    }
  }

  /// The title of files that have one.
  private static let title = "Explored with Roqua"

  private static func writer(
    _ format: ExportOptions.Format, layerCount: Int, to stream: ExportStream
  ) throws(ExportFailure) -> any LayerWriter {
    switch format {
    case .geoJSON: GeoJSONWriter(stream, form: .collection, layerCount: layerCount)
    case .geoJSONLines: GeoJSONWriter(stream, form: .lines, layerCount: layerCount)
    case .csv: CSVWriter(stream)
    case .gpx: GPXWriter(stream)
    case .kml: KMLWriter(stream, title: title)
    case .kmz: try KMZWriter(stream, title: title)
    case .flatGeobuf: FlatGeobufWriter(stream)
    case .geoParquet: try GeoParquetWriter(stream)
    case .geoPackage, .spatiaLite, .fogOfWorld, .parquetDataset:
      throw .failed(reason: "it is not written as a stream")
    }
  }

  /// Completes the file.
  ///
  /// - Returns: its size in bytes.
  func finish() throws(DatabaseError) -> Int {
    do throws(ExportFailure) { try stream.flush() } catch { throw self.error(for: error) }
    try file.finish()
    if stream.count > 0 { return stream.count }
    var status = stat()
    return stat(file.target, &status) == 0 ? Int(status.st_size) : 0
  }

  /// The error that a caller gets for one of the writer.
  func error(for failure: ExportFailure) -> DatabaseError {
    // The file knows why it refused bytes.
    if failure == .refused { do throws(DatabaseError) { try file.finish() } catch { return error } }
    return Self.error(for: failure, path: path)
  }

  private static func error(for failure: ExportFailure, path: String) -> DatabaseError {
    switch failure {
    case .refused: .cannotWrite(path: path, reason: "it takes no more bytes")
    case .failed(let reason): .cannotWrite(path: path, reason: reason)
    case .canceled: .interrupted(path: path)
    }
  }
}
