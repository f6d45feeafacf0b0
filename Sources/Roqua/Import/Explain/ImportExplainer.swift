import GeoStore
import GridHash
import TrackIngest

/// Reads files as an import does, stores nothing, and explains what it makes of each.
///
/// Files are read one after another, so that the explanation comes in their order while they are
/// read; its memory does not grow with them.
package struct ImportExplainer {
  private let filter: FilterSettings
  private let extras: Set<ExtraPoints>
  private let columns: TableColumns?
  private let isWhole: Bool
  private let store: Store?
  private let grid: Grid

  /// Creates an explainer.
  ///
  /// - Parameters:
  ///   - explorer: the store whose settings and privacy zones apply; nil for the defaults.
  ///   - extras: points to read in addition to track points.
  ///   - columns: the columns of tables that the user states.
  ///   - isWhole: true to explain every position that is not kept.
  /// - Throws: `DatabaseError` if the store cannot be read.
  package init(
    _ explorer: Explorer?, including extras: Set<ExtraPoints> = [], columns: TableColumns? = nil,
    isWhole: Bool = false
  ) throws {
    self.columns = columns
    store = explorer?.store
    filter = try explorer?.filterSettings() ?? FilterSettings()
    grid = try explorer?.read { $0.settings.grid } ?? Grid.standard
    self.extras = extras
    self.isWhole = isWhole
  }

  /// The limits that apply.
  package var settings: FilterSettings { filter }

  /// Explains files and folders.
  ///
  /// - Parameter pass: receives the explanation step by step, on another thread, before this
  ///   returns.
  /// - Returns: the report of a dry run into an empty store.
  package func explain(
    _ paths: [String], to pass: @escaping (ImportExplanation) -> Void
  ) -> ImportReport {
    var report = ImportReport()
    for file in FoundFile.find(paths, without: store?.files ?? [:]) {
      let explainer = SourceExplainer(isWhole: isWhole, to: pass)
      let decoder = FileDecoder(
        store: nil, filter: filter, extras: extras, columns: columns, now: StoreOptions().now(),
        grid: grid, meter: nil, explainer: explainer)
      let pool = DecoderPool(files: [file], decoder: decoder)
      defer { pool.stop() }
      let queue = pool.queue(at: 0)
      while queue.waitForSource() {
        guard case .end(let decoded) = queue.next() else { continue }
        report.add(
          FileReport(
            path: decoded.path, status: decoded.report.error == nil ? .imported : .refused,
            sha256: decoded.sha256, bytes: decoded.bytes, track: decoded.report,
            changes: SourceChanges()), in: decoded.path == file.path ? nil : file.path)
        if let kind = decoded.report.error?.unsupported { report.passedOver.skip(kind) }
      }
      report.passedOver.add(queue.filesPassedOver)
    }
    return report
  }
}
