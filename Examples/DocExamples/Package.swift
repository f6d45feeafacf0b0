// swift-tools-version: 6.2
import PackageDescription

// The examples of the documentation. `scripts/doc-examples` writes the sources and builds them.
let package = Package(
  name: "DocExamples",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [.package(name: "Roqua", path: "../..", traits: [])],
  targets: [
    .target(
      name: "DocExamples",
      dependencies: [
        "Roqua", "GeoStore", "Profiles", "StoreSync", "StoreLock", "PostgresPush", "Achievements",
        "Geocode", "TrackIngest", "GridHash", "Geodesy", "Session", "RoquaTesting",
      ].map {
        .product(name: $0, package: "Roqua")
      },
      // An example need not use all that it names.
      swiftSettings: [.swiftLanguageMode(.v6), .unsafeFlags(["-suppress-warnings"])])
  ]
)
