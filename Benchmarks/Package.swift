// swift-tools-version: 6.2
import PackageDescription

// The benchmarks and their competitors. A separate package, so that programs that embed Roqua do
// not depend on expat or CRoaring. One target per program; shared code is in `BenchmarkSupport`.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Roqua", path: "..", traits: [])],
  targets: [
    .target(name: "BenchmarkSupport", swiftSettings: [.swiftLanguageMode(.v6)]),

    // The lower bound of filling a store, SQLite alone, for several layouts of the rows.
    .executableTarget(name: "row-layouts", linkerSettings: [.linkedLibrary("sqlite3")]),

    // Discs, unions and statistics by place.
    .systemLibrary(
      name: "CRoaring", providers: [.apt(["libroaring-dev"]), .brew(["croaring"])]),
    .target(
      name: "RoaringDiscs", dependencies: ["CRoaring"],
      linkerSettings: [.linkedLibrary("roaring"), .linkedLibrary("m")]),
    .executableTarget(
      name: "coverage-benchmark",
      dependencies: [
        "BenchmarkSupport", "RoaringDiscs", .product(name: "GridHash", package: "Roqua"),
        .product(name: "Geodesy", package: "Roqua"), .product(name: "Roqua", package: "Roqua"),
        .product(name: "GeoStore", package: "Roqua"), .product(name: "Geocode", package: "Roqua"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6)]),

    // Reverse geocoding. Only the geocoder is linked, without Foundation, so that the resident
    // memory of the process belongs to the geocoder and the Swift runtime.
    .executableTarget(
      name: "geocode-benchmark",
      dependencies: [
        "BenchmarkSupport", .product(name: "Geocode", package: "Roqua"),
        .product(name: "Geodesy", package: "Roqua"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6)]),

    // Where the store's owner was at a million times.
    .executableTarget(
      name: "whereabouts-benchmark",
      dependencies: [
        "BenchmarkSupport", .product(name: "Roqua", package: "Roqua"),
        .product(name: "Geodesy", package: "Roqua"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6)]),

    // Fixes a second through a live session, in memory and durable; SQLite alone for comparison.
    .target(name: "BareRows", linkerSettings: [.linkedLibrary("sqlite3")]),
    .executableTarget(
      name: "live-benchmark",
      dependencies: [
        "BenchmarkSupport", "BareRows", .product(name: "Roqua", package: "Roqua"),
        .product(name: "Session", package: "Roqua"),
        .product(name: "TrackIngest", package: "Roqua"),
        .product(name: "Geodesy", package: "Roqua"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6)]),

    // Decoding and filtering tracks from memory.
    .systemLibrary(
      name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"]), .brew(["expat"])]),
    .executableTarget(
      name: "ingest-benchmark",
      dependencies: [
        "BenchmarkSupport", "CExpat", .product(name: "TrackIngest", package: "Roqua"),
        .product(name: "Geodesy", package: "Roqua"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6)]),
  ]
)
