import ByteStreams
import GeoExport
import GeoStore
import SQLiteLayer

/// Gives features to a writer while the store is read.
///
/// The reader's calls throw only errors of the database. So an error of the writer is kept in
/// ``failure``, and reading stops with an error that nobody sees.
final class ExportFeed {
  /// The feature to fill; ``add()`` writes it.
  var feature = ExportFeature()
  /// The features of each layer that ended.
  private(set) var layers: [ExportReport.Layer] = []
  /// Why the writer stopped.
  private(set) var failure: ExportFailure?
  private let writer: any LayerWriter
  private let path: String
  private let showsControlCharacters: Bool
  private let meter = WorkMeter.current
  /// Features between two looks at cancellation and the meter.
  private static let stepFeatures = 4_096
  private var count = 0

  /// - Parameters:
  ///   - path: that of the store, for the error that stops reading.
  ///   - showsControlCharacters: whether texts are written so that a terminal obeys none of their
  ///     characters (`String.safeForTerminals`).
  init(_ writer: any LayerWriter, path: String, showsControlCharacters: Bool) {
    (self.writer, self.path) = (writer, path)
    self.showsControlCharacters = showsControlCharacters
  }

  /// Writes a layer, whose features `body` adds.
  func layer(
    _ name: ExportOptions.Layer, _ body: () throws(DatabaseError) -> Void
  ) throws(DatabaseError) {
    count = 0
    try checkCancellation()
    if layers.isEmpty { meter?.begin(.exporting) }
    let layer = name.exportLayer
    feature = ExportFeature()
    try writing { () throws(ExportFailure) in try writer.begin(layer) }
    try body()
    meter?.add(count % Self.stepFeatures)
    try writing { () throws(ExportFailure) in try writer.end() }
    layers.append(ExportReport.Layer(layer: name, features: count))
  }

  /// Writes the feature, and empties it.
  func add() throws(DatabaseError) {
    if showsControlCharacters {
      for (place, value) in feature.values.enumerated() {
        if case .text(let text) = value { feature.values[place] = .text(text.safeForTerminals) }
      }
    }
    try writing { () throws(ExportFailure) in try writer.add(feature) }
    feature.geometry.removeAll()
    feature.values.removeAll(keepingCapacity: true)
    count += 1
    guard count % Self.stepFeatures == 0 else { return }
    meter?.add(Self.stepFeatures)
    try checkCancellation()
  }

  private func checkCancellation() throws(DatabaseError) {
    if Cancellation.current?.isCancelled == true { throw .interrupted(path: path) }
  }

  /// Keeps a failure for the owner of the file, and returns the error that stops reading.
  func stop(_ failure: ExportFailure) -> DatabaseError {
    self.failure = failure
    return .interrupted(path: path)
  }

  /// Completes the file.
  func finish() throws(DatabaseError) {
    try writing { () throws(ExportFailure) in try writer.finish() }
  }

  private func writing(_ body: () throws(ExportFailure) -> Void) throws(DatabaseError) {
    do throws(ExportFailure) {
      try body()
    } catch {
      throw stop(error)
    }
  }
}
