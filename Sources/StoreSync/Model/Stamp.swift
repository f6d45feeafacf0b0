/// The time of a decision and the device that took it: of two decisions, the later one counts, and
/// of two at the same time, that of the device with the larger name.
package struct Stamp: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970, by the clock of the device.
  package var milliseconds: Int64
  /// The device.
  package var device: DeviceName

  /// Creates a stamp.
  package init(milliseconds: Int64, device: DeviceName) {
    (self.milliseconds, self.device) = (milliseconds, device)
  }

  /// The order by time, then device.
  package static func < (left: Self, right: Self) -> Bool {
    (left.milliseconds, left.device) < (right.milliseconds, right.device)
  }
}

/// The place of a piece in the order in which every device imports all pieces of all sources.
package struct PiecePosition: Hashable, Comparable, Sendable {
  /// The rank: it grows with each piece that a device adds.
  package var rank: UInt64
  /// The device that added the piece, which decides between equal ranks.
  package var device: DeviceName

  /// Creates a position.
  package init(rank: UInt64, device: DeviceName) { (self.rank, self.device) = (rank, device) }

  /// The order by rank, then device.
  package static func < (left: Self, right: Self) -> Bool {
    (left.rank, left.device) < (right.rank, right.device)
  }
}
