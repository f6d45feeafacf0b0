// swift-tools-version: 6.2
import PackageDescription

// An app's model on top of Roqua, without its screens: what an app imports, calls and shows.
let package = Package(
  name: "FogApp",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [.package(name: "Roqua", path: "../..", traits: [])],
  targets: [
    .executableTarget(
      name: "FogApp", dependencies: [.product(name: "Roqua", package: "Roqua")],
      swiftSettings: [.swiftLanguageMode(.v6)]),
    // Every library that an app can use, without any trait.
    .target(
      name: "EveryLibrary",
      dependencies: [
        "Roqua", "GeoStore", "Profiles", "StoreSync", "StoreLock", "PostgresPush", "Achievements",
        "Geocode", "TrackIngest", "GridHash", "Geodesy", "Session", "RoquaTesting",
      ].map {
        .product(name: $0, package: "Roqua")
      },
      swiftSettings: [.swiftLanguageMode(.v6)]),
  ]
)
