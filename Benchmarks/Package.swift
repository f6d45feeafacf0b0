// swift-tools-version: 6.2
import PackageDescription

// What is timed, and against whom. A package of its own, so that who embeds Roqua never sees it.
let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Roqua", path: "..")],
  targets: [
    .systemLibrary(name: "CRoaring", providers: [.apt(["libroaring-dev"]), .brew(["croaring"])]),
    .target(
      name: "RivalDiscs", dependencies: ["CRoaring"],
      linkerSettings: [.linkedLibrary("roaring"), .linkedLibrary("m")]),
    .executableTarget(name: "bare-rows", linkerSettings: [.linkedLibrary("sqlite3")]),
    .executableTarget(
      name: "coverage",
      dependencies: [
        "RivalDiscs", .product(name: "GridHash", package: "Roqua"),
        .product(name: "Geodesy", package: "Roqua"), .product(name: "Roqua", package: "Roqua"),
        .product(name: "GeoStore", package: "Roqua"), .product(name: "Geocode", package: "Roqua"),
      ],
      swiftSettings: [.swiftLanguageMode(.v6)]),
  ]
)
