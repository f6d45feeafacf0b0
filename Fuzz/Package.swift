// swift-tools-version: 6.2
import PackageDescription

// Fuzzers for what reads bytes from outside, run by `scripts/fuzz`. Nobody depends on this package,
// so it may use unsafe flags. To add a fuzzer: a folder `Sources/fuzz-NAME`, a line below, seeds in
// `seeds/NAME`.

/// A fuzzer: a file with `LLVMFuzzerTestOneInput`; libFuzzer brings `main`.
func fuzzer(_ name: String, of libraries: [String]) -> Target {
  .executableTarget(
    name: "fuzz-\(name)",
    dependencies: ["FuzzSupport"] + libraries.map { .product(name: $0, package: "Roqua") },
    swiftSettings: [.unsafeFlags(["-parse-as-library"])])
}

let package = Package(
  name: "Fuzz",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Roqua", path: "..", traits: [])],
  targets: [
    .target(
      name: "FuzzSupport",
      dependencies: [
        .product(name: "Geodesy", package: "Roqua"),
        .product(name: "TrackIngest", package: "Roqua"),
      ]),
    fuzzer("gpx", of: ["TrackIngest"]),
    fuzzer("nmea", of: ["TrackIngest"]),
    fuzzer("reader", of: ["TrackIngest"]),
    // Of ByteStreams, which is below TrackIngest and no product of its own.
    fuzzer("containers", of: ["TrackIngest"]),
    fuzzer("fixes", of: ["GeoStore"]),
    fuzzer("coverage", of: ["GridHash"]),
    // Two of its files are those of the tests, by symbolic links.
    fuzzer("store", of: ["Roqua", "GeoStore", "GridHash", "Geodesy"]),
    fuzzer("geojson", of: ["Roqua", "Geodesy"]),
    fuzzer("lists", of: ["Roqua", "GridHash", "Geodesy"]),
    // Two of its files are those of the tests, by symbolic links.
    fuzzer("geodata", of: ["Geocode", "Geodesy"]),
    fuzzer("journal", of: ["GeoStore"]),
    fuzzer("appdatabase", of: ["Roqua", "GeoStore", "Geodesy"]),
  ]
)
