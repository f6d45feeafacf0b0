import Synchronization

/// How far an import is: counted while it runs, to be asked from any thread.
///
/// ```swift
/// let meter = ImportMeter()
/// let importing = Task { try await explorer.importTracks(at: tracks, meter: meter) }
/// print("\(meter.reading.filesDone) of \(meter.reading.filesFound) files")
/// print("\(try await importing.value.kept) fixes kept")
/// ```
public final class ImportMeter: Sendable {
  /// What has been done at one moment, and of how much.
  public struct Reading: Hashable, Sendable {
    /// Files that are done with: imported, refused or passed over. An archive is one.
    public var filesDone = 0
    /// Files that were found.
    public var filesFound = 0
    /// Bytes read, as they lie on the disk; ahead of what is stored by the files that decoders have
    /// read.
    public var bytesRead = 0
    /// Bytes of all files; nil where that is not known, because one of them is a pipe.
    public var bytesFound: Int?
    /// Track points decoded.
    public var points = 0
    /// Whether the import has ended.
    public var isFinished = false

    /// The share of the bytes that are read, 0...1; nil where their number is not known.
    public var share: Double? {
      guard let bytesFound, bytesFound > 0 else { return nil }
      return min(1, max(0, Double(bytesRead) / Double(bytesFound)))
    }
  }

  private let state = Mutex(Reading())

  /// A meter that has seen nothing yet.
  public init() {}

  /// How far it is now.
  public var reading: Reading { state.withLock { $0 } }

  /// How far the import is, again and again until it has ended: the last reading is that of its
  /// end.
  ///
  /// ```swift
  /// let meter = ImportMeter()
  /// async let report = explorer.importTracks(at: tracks, meter: meter)
  /// for await reading in meter.readings() { print(reading.share ?? 0) }
  /// print(try await report.kept)
  /// ```
  ///
  /// - Parameter interval: the time between two readings.
  public func readings(every interval: Duration = .milliseconds(100)) -> AsyncStream<Reading> {
    let hasEnded = Mutex(false)
    return AsyncStream {
      guard !hasEnded.withLock({ $0 }) else { return nil }
      if !self.reading.isFinished { try? await Task.sleep(for: interval) }
      let reading = self.reading
      if reading.isFinished || Task.isCancelled { hasEnded.withLock { $0 = true } }
      return reading
    }
  }

  func begin(_ files: [FoundFile]) {
    let sizes = files.map { $0.failure == nil ? $0.byteCount : 0 }
    state.withLock {
      $0.filesFound += files.count
      $0.bytesFound = sizes.contains(nil) ? nil : sizes.reduce(0) { $0 + ($1 ?? 0) }
    }
  }

  func add(bytes: Int = 0, points: Int = 0) {
    state.withLock {
      $0.bytesRead += bytes
      $0.points += points
    }
  }

  func end() { state.withLock { $0.isFinished = true } }

  func finishFile() { state.withLock { $0.filesDone += 1 } }
}
