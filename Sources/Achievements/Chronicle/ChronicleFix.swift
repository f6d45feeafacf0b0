import Geodesy

/// A kept fix with what achievements need to know about it.
package struct ChronicleFix: Hashable, Sendable {
  /// Milliseconds since 1970.
  package var time: Int64
  /// Milliseconds from 1970-01-01T00:00 to the fix, both by the clock at the fix.
  package var localTime: Int64
  package var coordinate: Coordinate
  package var place: PlaceFacts
  /// The number of its source in the store.
  package var source: Int64
  /// Its number in the source.
  package var order: UInt32
  /// Whether the track leads on the ground from the fix before in its source to this one.
  package var isJoined: Bool

  package init(
    time: Int64, localTime: Int64, coordinate: Coordinate, place: PlaceFacts, source: Int64,
    order: UInt32, isJoined: Bool
  ) {
    (self.time, self.localTime, self.coordinate, self.place) = (time, localTime, coordinate, place)
    (self.source, self.order, self.isJoined) = (source, order, isJoined)
  }

  /// The day by the clock at the fix, as days since 1970-01-01.
  var day: Int32 {
    Int32(clamping: Timestamp(millisecondsSince1970: localTime).daysSince1970)
  }
}
