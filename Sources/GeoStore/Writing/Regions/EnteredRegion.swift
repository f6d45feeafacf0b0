import Geodesy

/// A region that a recording came into.
package struct EnteredRegion: Hashable, Sendable {
  /// Its number.
  package let id: Int64
  /// Its center.
  package let center: Coordinate
  /// Whether the recording made it.
  package let isNew: Bool
}
