import Dispatch
import SQLiteLayer

/// What a transaction that deletes data needs to know of the store as it was before, computed on
/// another thread meanwhile.
struct StoreBefore {
  /// The store's size.
  let size: ValueBefore<MaintenanceReport.Size>
  /// How many regions had each place, computed after the size; nil if that is not known. Ask with
  /// ``ValueBefore/valueIfBegun()``: searching for single places is faster than to begin now.
  let placeUses: ValueBefore<PlaceUses?>

  /// Starts to compute both. Call ``stop()`` before the transaction ends.
  ///
  /// Only a session that has stored nothing can leave this to a reader. Otherwise the size is
  /// counted at once, and the uses of places are not known.
  ///
  /// - Parameter queue: a serial queue of its own.
  init(
    _ session: WriteSession, on queue: DispatchQueue = DispatchQueue(label: "Roqua store before")
  ) throws(DatabaseError) {
    guard session.isUnchanged else {
      self.init(size: try session.connection.derivedSize())
      return
    }
    self.init(
      size: ValueBefore(session.readers, on: queue) { (reader) throws(DatabaseError) in
        try reader.derivedSize()
      },
      placeUses: ValueBefore(session.readers, on: queue) { (reader) throws(DatabaseError) in
        try PlaceUses(in: reader)
      })
  }

  private init(
    size: ValueBefore<MaintenanceReport.Size>, placeUses: ValueBefore<PlaceUses?>
  ) {
    self.size = size
    self.placeUses = placeUses
  }

  /// For a transaction that does not report sizes.
  static var sizeOfNoInterest: Self {
    Self(size: MaintenanceReport.Size(visitedRegions: 0, visits: 0, cells: 0))
  }

  /// One whose size is a given one, and whose uses of places are not known.
  init(size: MaintenanceReport.Size) {
    self.init(size: ValueBefore(size), placeUses: ValueBefore(nil))
  }

  /// Waits until nothing reads any more.
  func stop() {
    placeUses.stop()
    size.stop()
  }
}
