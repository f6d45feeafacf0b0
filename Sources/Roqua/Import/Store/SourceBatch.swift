import Foundation
import GeoStore

/// Small sources waiting to be written in one transaction, along with the results of sources in
/// between that are not written.
///
/// They are fully decoded, so that the transaction does not wait for a decoder.
struct SourceBatch {
  /// The number of kept fixes at which a batch is written.
  static let capacityFixes = 1 << 13
  /// The number of sources at which a batch is written.
  static let capacitySources = 128
  /// The time that the first source of a batch waits for others.
  static let patience = Duration.milliseconds(100)

  /// A source, including one that was refused or is already in the store.
  struct Entry {
    /// The index of the file that the source is or lies in, counted from 0.
    let fileIndex: Int
    /// The decoder's result.
    var decoded: DecodedSource
    /// The kept fixes; nil if the source is not to be stored.
    var fixes: [[KeptFix]]?
  }

  /// The entries, in the order in which the sources were found.
  private(set) var entries: [Entry] = []
  /// Files that have ended since the batch was begun, and what of each was passed over.
  var endedFiles: [(index: Int, passedOver: PassedOver)] = []
  private var fixCount = 0
  private var start = ContinuousClock.now

  /// True if no source is waiting.
  var isEmpty: Bool { entries.isEmpty }
  /// True if the batch must be written before it takes more.
  var isFull: Bool { fixCount >= Self.capacityFixes || entries.count >= Self.capacitySources }

  /// Adds the next, complete source of a queue. A source is left out if the import is canceled
  /// meanwhile, since a part of it must not be stored.
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
    fixCount += fixes.reduce(decoded.weightOfCells) { $0 + $1.count }
    entries.append(Entry(fileIndex: index, decoded: decoded, fixes: isToBeStored ? fixes : nil))
  }

  /// Waits for the next element of a queue as long as the batch may wait; returns false if the
  /// batch must be written first.
  func waits(for queue: SourceQueue) -> Bool {
    isEmpty || queue.waitForNews(atMost: (Self.patience - (.now - start)) / .seconds(1))
  }
}
