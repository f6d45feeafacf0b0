import ArgumentParser
import GeoStore
import Geodesy

/// Areas that a map or an export leaves out.
struct HideArguments: ParsableArguments {
  @Option(
    parsing: .upToNextOption,
    help: ArgumentHelp("Hide the area around a point.", valueName: "lat lon"))
  var hide: [String] = []

  @Option(
    help: ArgumentHelp(
      "Hide at least this distance around the point of --hide. (default: 500m)",
      valueName: "distance"), transform: Length.parse)
  var radius: Length?

  func validate() throws { _ = try zones() }

  /// The areas to hide.
  func zones() throws -> [PrivacyZone] {
    guard !hide.isEmpty else {
      guard radius == nil else { throw ValidationError("--radius needs --hide.") }
      return []
    }
    let meters = radius?.meters ?? 500
    guard StoredZone.radiusMeters.contains(meters) else {
      throw ValidationError("--radius must be from 1 m to 100 km.")
    }
    // --hide may be given more than once: two numbers each.
    let pairs =
      hide.count > 2 && hide.count % 2 == 0
      ? stride(from: 0, to: hide.count, by: 2).map { [hide[$0], hide[$0 + 1]] } : [hide]
    return try pairs.map {
      PrivacyZone(center: try Position.coordinate($0, option: "--hide"), radiusMeters: meters)
    }
  }
}
