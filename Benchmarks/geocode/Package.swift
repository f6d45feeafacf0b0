// swift-tools-version: 6.2
import PackageDescription

// How fast positions become places, and how much memory that takes. A package of its own, with nothing linked in but
// the geocoder: what it holds resident is the geocoder's and the Swift runtime's.
let package = Package(
  name: "GeocodeBenchmark",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Roqua", path: "../..")],
  targets: [
    .executableTarget(
      name: "geocode-benchmark",
      dependencies: [
        .product(name: "Geocode", package: "Roqua"), .product(name: "Geodesy", package: "Roqua"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6)])
  ]
)
