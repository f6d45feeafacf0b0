import Geodesy

/// Removes the fixes of a source that lie in a privacy zone, and cuts the track there.
///
/// A filter that knows the zones has dropped such fixes before. But a zone may have been added
/// after the filter was made, and a writer may use no filter.
struct WithheldFixes {
  /// The zones of the store.
  let zones: PrivacyZones
  /// Number of fixes removed so far.
  private(set) var count = 0
  /// Whether the previous fix was removed, so that the next one starts a segment.
  private var isCut = false

  /// - Parameter isCut: whether the fix before the first one was removed.
  init(zones: PrivacyZones, isCut: Bool = false) { (self.zones, self.isCut) = (zones, isCut) }

  /// Returns the fix to store; nil for one in a zone.
  mutating func outside(_ fix: KeptFix) -> KeptFix? {
    if zones.contains(fix.coordinate) {
      count += 1
      isCut = true
      return nil
    }
    guard isCut else { return fix }
    isCut = false
    var fix = fix
    fix.startsSegment = true
    return fix
  }

  /// Returns the fixes to store.
  mutating func outside(_ fixes: [KeptFix]) -> [KeptFix] {
    zones.isEmpty && !isCut ? fixes : fixes.compactMap { outside($0) }
  }

  /// Whether the last fix was removed, so that the next one starts a segment.
  var isCutAtEnd: Bool {
    get { isCut }
    set { isCut = newValue }
  }
}
