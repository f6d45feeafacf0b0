import GeoStore
import Geodesy
import GridHash
import SQLiteLayer

/// Ground that an export leaves out, and whether something of the export lies there. A class,
/// because the selection that finds it out is a value.
final class Withholding {
  /// The ground near the store's privacy zones.
  private let nearZones: HiddenGround
  /// The ground near the zones that only this export hides.
  private let nearHiddenZones: HiddenGround
  private var (isNearZone, isNearHiddenZone) = (false, false)

  /// - Parameter hiddenZones: zones that the export hides besides those of the store.
  init(of snapshot: Snapshot, hiding hiddenZones: [PrivacyZone] = []) throws(DatabaseError) {
    let settings = snapshot.settings
    nearZones = HiddenGround(try snapshot.privacyZones().map(\.zone), settings)
    nearHiddenZones = HiddenGround(hiddenZones, settings)
  }

  /// Whether something lies on hidden ground, by a test for each kind of it; takes note of it.
  func isHidden(_ touches: (HiddenGround) -> Bool) -> Bool {
    let (zone, hiddenZone) = (touches(nearZones), touches(nearHiddenZones))
    if zone { isNearZone = true }
    if hiddenZone { isNearHiddenZone = true }
    return zone || hiddenZone
  }

  /// The cells of a tile that are not hidden.
  func clipped(_ tile: Tile, at key: Int64) -> Tile {
    guard isHidden({ !$0.isEmpty && $0.clipped(tile, at: key) != tile }) else { return tile }
    return nearHiddenZones.clipped(nearZones.clipped(tile, at: key), at: key)
  }

  /// What was left out so far, in at most one sentence.
  var notes: [String] {
    switch (isNearZone, isNearHiddenZone) {
    case (true, true): ["What lies near a privacy zone or in a hidden area is left out."]
    case (true, false): ["What lies near a privacy zone is left out."]
    case (false, true): ["What lies in a hidden area is left out."]
    case (false, false): []
    }
  }
}
