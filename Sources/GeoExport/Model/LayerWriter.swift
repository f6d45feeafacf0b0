import ByteStreams

/// Writes layers to a file of one format.
///
/// Calls come in this order: for each layer ``begin(_:)``, ``add(_:)`` for each feature and
/// ``end()``; then ``finish()`` once. After an error the writer is not used again, and what it has
/// written is deleted by its owner.
package protocol LayerWriter: AnyObject {
  /// Begins a layer.
  func begin(_ layer: ExportLayer) throws(ExportFailure)
  /// Writes one feature of the layer.
  func add(_ feature: ExportFeature) throws(ExportFailure)
  /// Ends the layer.
  func end() throws(ExportFailure)
  /// Completes the file.
  func finish() throws(ExportFailure)
}

/// The reason why an export stops.
package enum ExportFailure: Error, Hashable {
  /// The output refused bytes. Its owner knows why.
  case refused
  /// A file or a database cannot be written, in one line.
  case failed(reason: String)
  /// The work was canceled.
  case canceled
}
