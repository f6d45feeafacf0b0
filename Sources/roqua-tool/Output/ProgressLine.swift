import Foundation
import Roqua
import Synchronization

/// A line on a terminal that tells how far an import is: files, bytes, points a second, time left.
/// Nothing in a pipe.
final class ProgressLine: Sendable {
  /// How often the line changes, in seconds; an import that is done sooner shows none.
  private static let intervalSeconds = 0.1

  /// What the import counts in.
  let meter = ImportMeter()
  private let start = ContinuousClock.now
  private let isEnded = Mutex(false)

  /// A line on standard error that changes until ``end()``; nil where that is no terminal.
  init?() {
    guard isatty(STDERR_FILENO) == 1 else { return nil }
    Thread.detachNewThread { [self] in
      while true {
        Thread.sleep(forTimeInterval: Self.intervalSeconds)
        guard show() else { return }
      }
    }
  }

  /// Takes the line away.
  func end() {
    isEnded.withLock { isEnded in
      isEnded = true
      Console.overwriteLine(with: "")
    }
  }

  /// Shows how far it is now; false after the end.
  private func show() -> Bool {
    isEnded.withLock { isEnded in
      guard !isEnded else { return false }
      Console.overwriteLine(
        with: Self.text(meter.reading, seconds: (ContinuousClock.now - start) / .seconds(1)))
      return true
    }
  }

  /// `12 of 340 files, 1.2 GB, 1,234,567 points/s, 34 s left`. The time left is that of the bytes
  /// left at the speed so far; it is unknown for a pipe.
  private static func text(_ reading: ImportMeter.Reading, seconds: Double) -> String {
    let bytes = reading.bytesFound.map { min(reading.bytesRead, $0) } ?? reading.bytesRead
    let of = reading.bytesFound.map { " of \(Wording.bytes($0))" } ?? ""
    let parts = [
      "\(Wording.count(reading.filesDone)) of \(Wording.count(reading.filesFound, "file"))",
      Wording.bytes(bytes) + of,
      "\(Wording.count(Int(Double(reading.points) / max(seconds, 0.001)))) points/s",
    ]
    guard let share = reading.share, share > 0 else { return parts.joined(separator: ", ") }
    let left = (seconds / share - seconds).rounded()
    return (parts + ["\(Wording.decimal(left, 0)) s left"]).joined(separator: ", ")
  }
}
