// swift-tools-version: 6.2
import PackageDescription

// Fuzzers for everything that reads outside data, run by `scripts/fuzz`. No other package depends
// on this one, so it may use unsafe flags. To add a fuzzer, add a folder `Sources/fuzz-NAME`, a
// line below, seeds in `seeds/NAME`, and its name to `.ci/run`.

/// A fuzzer: a file with `LLVMFuzzerTestOneInput`; libFuzzer provides `main`.
func fuzzer(_ name: String, of libraries: [String]) -> Target {
  .executableTarget(
    name: "fuzz-\(name)",
    dependencies: ["FuzzSupport"] + libraries.map { .product(name: $0, package: "Roqua") },
    swiftSettings: [.unsafeFlags(["-parse-as-library"])])
}

let package = Package(
  name: "Fuzz",
  platforms: [.macOS(.v15)],
  // The trait Sync is for the fuzzers of files in the age format, of sync folders and of locked
  // stores: the others link no libsodium.
  dependencies: [.package(name: "Roqua", path: "..", traits: ["Sync"])],
  targets: [
    .target(
      name: "FuzzSupport",
      dependencies: [
        .product(name: "Geodesy", package: "Roqua"),
        .product(name: "TrackIngest", package: "Roqua"),
      ]),
    fuzzer("gpx", of: ["TrackIngest"]),
    fuzzer("nmea", of: ["TrackIngest"]),
    fuzzer("gpsd", of: ["TrackIngest"]),
    fuzzer("tcx", of: ["TrackIngest"]),
    fuzzer("kml", of: ["TrackIngest"]),
    fuzzer("fit", of: ["TrackIngest"]),
    fuzzer("igc", of: ["TrackIngest"]),
    fuzzer("csv", of: ["TrackIngest"]),
    fuzzer("google", of: ["TrackIngest"]),
    fuzzer("trackjson", of: ["TrackIngest"]),
    fuzzer("phones", of: ["PhoneProtocols", "TrackIngest", "Geodesy"]),
    fuzzer("fogofworld", of: ["TrackIngest"]),
    fuzzer("reader", of: ["TrackIngest"]),
    // Uses ByteStreams, which is below TrackIngest and not a product.
    fuzzer("containers", of: ["TrackIngest"]),
    fuzzer("age", of: ["AgeFile"]),
    fuzzer("sync", of: ["StoreSync"]),
    fuzzer("tar", of: ["StoreLock"]),
    fuzzer("copyrows", of: ["PostgresPush"]),
    fuzzer("profiles", of: ["Profiles"]),
    fuzzer("fixes", of: ["GeoStore"]),
    fuzzer("coverage", of: ["GridHash"]),
    fuzzer("coveragestream", of: ["GridHash"]),
    // Uses ByteStreams, too.
    fuzzer("positions", of: ["Geodesy", "TrackIngest"]),
    // Uses SQLiteLayer, which is below GeoStore and not a product.
    fuzzer("schema", of: ["GeoStore"]),
    // Two of its files are symbolic links to files of the tests.
    fuzzer("store", of: ["Roqua", "GeoStore", "GridHash", "Geodesy"]),
    fuzzer("geojson", of: ["Roqua", "Geodesy"]),
    fuzzer("lists", of: ["Roqua", "GridHash", "Geodesy"]),
    // Two of its files are symbolic links to files of the tests.
    fuzzer("geodata", of: ["Geocode", "Geodesy"]),
    fuzzer("journal", of: ["GeoStore"]),
    fuzzer("appdatabase", of: ["Roqua", "GeoStore", "Geodesy"]),
  ]
)
