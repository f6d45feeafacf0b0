import Synchronization

/// Counts the progress of an import. Can be read from any thread.
///
/// ```swift
/// let meter = ImportMeter()
/// let importing = Task { try await explorer.importTracks(at: tracks, meter: meter) }
/// print("\(meter.reading.filesDone) of \(meter.reading.filesFound) files")
/// print("\(try await importing.value.kept) fixes kept")
/// ```
public final class ImportMeter: Sendable {
  /// The progress at one moment.
  public struct Reading: Hashable, Sendable {
    /// The number of files imported, refused or ignored so far. An archive counts as one.
    public var filesDone = 0
    /// The number of files found.
    public var filesFound = 0
    /// The number of bytes read from disk. Decoders read ahead, so this may exceed what is stored.
    public var bytesRead = 0
    /// The number of bytes of all files; nil if unknown, because one of them is a pipe.
    public var bytesFound: Int?
    /// The number of track points decoded.
    public var points = 0
    /// True if the import has ended.
    public var isFinished = false

    /// The share of the bytes that have been read, 0...1; nil if the number of bytes is unknown.
    public var share: Double? {
      guard let bytesFound, bytesFound > 0 else { return nil }
      return min(1, max(0, Double(bytesRead) / Double(bytesFound)))
    }
  }

  private let state = Mutex(Reading())

  /// Creates a meter for an import that has not started.
  public init() {}

  /// The current progress.
  public var reading: Reading { state.withLock { $0 } }

  /// Readings at regular intervals until the import has ended. The last one is the final state.
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
