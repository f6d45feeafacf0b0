import Foundation
import GeoStore

/// Small sources that wait to be written in one transaction, and what became of those between them
/// that need not be.
///
/// Decoded whole, so that nobody waits for a decoder while others wait to write.
struct SourceBatch {
  /// Kept fixes from which on a batch is written.
  static let capacityFixes = 1 << 13
  /// Sources from which on a batch is written.
  static let capacitySources = 128
  /// How long the first source of a batch waits for others.
  static let patience = Duration.milliseconds(100)

  /// A source; one that was refused, or that is in the store already, too.
  struct Entry {
    /// Number of the file that it is or lies in, counted from 0.
    let fileIndex: Int
    /// What is known of it.
    var decoded: DecodedSource
    /// Its kept fixes; nil where it is not to be stored.
    var fixes: [[KeptFix]]?
  }

  /// In the order in which they were found.
  private(set) var entries: [Entry] = []
  /// Files that have ended since the batch was begun, and what of each was passed over.
  var endedFiles: [(index: Int, passedOver: PassedOver)] = []
  private var fixCount = 0
  private var start = ContinuousClock.now

  /// Whether nothing waits.
  var isEmpty: Bool { entries.isEmpty }
  /// Whether it is to be written before it takes more.
  var isFull: Bool { fixCount >= Self.capacityFixes || entries.count >= Self.capacitySources }

  /// Takes the next source of a queue, which is known whole. Where the import is cancelled
  /// meanwhile, it is left out: a part of it must not be stored.
  mutating func take(
    _ decoded: DecodedSource, ofFile index: Int, from queue: SourceQueue, isToBeStored: Bool
  ) {
    var fixes: [[KeptFix]] = []
    read: while true {
      switch queue.next() {
      case .fixes(let some): if isToBeStored { fixes.append(some) }
      case .end: break read
      case .cancelled: return
      }
    }
    if isEmpty { start = .now }
    fixCount += fixes.reduce(0) { $0 + $1.count }
    entries.append(Entry(fileIndex: index, decoded: decoded, fixes: isToBeStored ? fixes : nil))
  }

  /// Waits for what a queue brings next, as long as the batch has patience: false where it is to
  /// be written first.
  func waits(for queue: SourceQueue) -> Bool {
    isEmpty || queue.waitForNews(atMost: (Self.patience - (.now - start)) / .seconds(1))
  }
}
