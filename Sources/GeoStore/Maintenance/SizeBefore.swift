import Dispatch
import SQLiteLayer
import Synchronization

/// The store's size at the start of a transaction, counted on another thread while the transaction
/// does other work: counting reads every region.
///
/// A reader counts, so what the transaction has written before must be nothing; otherwise the
/// session counts by itself, at once.
final class SizeBefore: Sendable {
  private typealias Outcome = Result<MaintenanceReport.Size, DatabaseError>

  private let outcome = Mutex<Outcome?>(nil)
  private let group = DispatchGroup()

  /// Starts to count. Call ``value()`` or ``wait()`` before the transaction ends.
  init(_ session: WriteSession) throws(DatabaseError) {
    guard session.isUnchanged else {
      let size = try session.connection.derivedSize()
      outcome.withLock { $0 = .success(size) }
      return
    }
    let (readers, cancellation) = (session.readers, Cancellation.current)
    DispatchQueue.global(qos: .userInitiated).async(group: group) { [self] in
      let result = Outcome { () throws(DatabaseError) in
        try readers.withReaderAtOnce { (reader) throws(DatabaseError) in
          try Cancellation.watching(reader, for: cancellation) { () throws(DatabaseError) in
            try reader.readTransaction { () throws(DatabaseError) in try reader.derivedSize() }
          }
        }
      }
      outcome.withLock { $0 = result }
    }
  }

  /// Waits until the count is finished.
  func wait() { group.wait() }

  /// The size, as soon as it is counted.
  func value() throws(DatabaseError) -> MaintenanceReport.Size {
    wait()
    guard let outcome = outcome.withLock({ $0 }) else { preconditionFailure("it was counted") }
    return try outcome.get()
  }
}
