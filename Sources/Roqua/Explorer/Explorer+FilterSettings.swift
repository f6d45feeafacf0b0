import GeoStore
import Geodesy
import TrackIngest

extension Explorer {
  /// The filter settings for files, from the store's settings and privacy zones.
  package func filterSettings() throws -> FilterSettings {
    let (settings, zones) = try read { ($0.settings, try $0.privacyZones().map(\.zone)) }
    var filter = FilterSettings(settings)
    filter.zones = PrivacyZones(zones)
    return filter
  }
}

extension FilterSettings {
  /// The limits in the settings of a store, without privacy zones.
  init(_ settings: StoreSettings) {
    self.init(
      maximumAccuracyMeters: settings[.maximumAccuracyMeters],
      trackingDistanceMeters: settings[.trackingDistanceMeters],
      minimumIntervalSeconds: settings[.minimumIntervalSeconds],
      maximumSpeedMetersPerSecond: settings[.maximumSpeedMetersPerSecond])
  }
}
