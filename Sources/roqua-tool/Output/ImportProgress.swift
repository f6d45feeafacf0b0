import Roqua

/// The progress line of an import: files, bytes, points per second, time left.
struct ImportProgress {
  /// The meter that the import counts with.
  let meter: ImportMeter
  private let line: ProgressLine

  /// Shows the line until ``end()``; nil if standard error is no terminal.
  init?() {
    let meter = ImportMeter()
    guard let line = ProgressLine({ Self.state(meter.reading, seconds: $0) }) else { return nil }
    (self.meter, self.line) = (meter, line)
  }

  /// Erases the line.
  func end() { line.end() }

  /// `12 of 340 files, 1.2 GB of 3.4 GB, 1,234,567 points/s`. The share is that of the bytes, which
  /// is unknown for a pipe.
  static func state(_ reading: ImportMeter.Reading, seconds: Double) -> ProgressLine.State {
    let bytes = reading.bytesFound.map { min(reading.bytesRead, $0) } ?? reading.bytesRead
    let of = reading.bytesFound.map { " of \(Wording.bytes($0))" } ?? ""
    return ProgressLine.State(
      parts: [
        "\(Wording.count(reading.filesDone)) of \(Wording.count(reading.filesFound, "file"))",
        Wording.bytes(bytes) + of,
        "\(Wording.count(Int(Double(reading.points) / max(seconds, 0.001)), "point"))/s",
      ], importance: [0, 1, 2], share: reading.share)
  }
}
