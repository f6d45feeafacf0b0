import ByteStreams
import Geodesy

/// A privacy zone as listed by the store: one row of `zones`.
///
/// ```swift
/// for stored in try await explorer.privacyZones() {
///   print(stored.id, stored.name ?? "", "\(stored.zone.radiusMeters) m")
/// }
/// ```
public struct StoredZone: Hashable, Sendable, Identifiable {
  /// Its number. Numbers are never reused.
  public let id: Int64
  /// Its name, unique among the store's zones; nil if it has none.
  public let name: String?
  /// The disc.
  public let zone: PrivacyZone
  /// The time when it was added; nil if the stored text is unreadable.
  public let addedAt: Timestamp?

  /// The radii that a zone may have, in meters: 1 m to 100 km.
  public static let radiusMeters = 1.0...100_000

  /// The reason why no store accepts such a zone; nil if a store may accept it.
  package static func reasonToRefuse(_ zone: PrivacyZone, named name: String?) -> String? {
    if !radiusMeters.contains(zone.radiusMeters) {
      return "the radius of a privacy zone is 1 m to 100 km"
    }
    // A number would be ambiguous, and blanks invisible in a list.
    guard let name else { return nil }
    if name.allSatisfy(\.isWhitespace) || Int64(name) != nil {
      return "the name of a privacy zone cannot be a number or empty"
    }
    if name.unicodeScalars.contains(where: \.isObeyedByTerminals) {
      return "the name of a privacy zone cannot have line breaks or other control characters"
    }
    return nil
  }
}
