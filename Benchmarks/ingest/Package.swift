// swift-tools-version: 6.2
import PackageDescription

// How fast tracks are read, and against what. A package of its own: it needs expat, which Roqua does not.
let package = Package(
  name: "IngestBenchmark",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "Roqua", path: "../..")],
  targets: [
    .systemLibrary(
      name: "CExpat", pkgConfig: "expat", providers: [.apt(["libexpat1-dev"]), .brew(["expat"])]),
    .executableTarget(
      name: "ingest-benchmark",
      dependencies: [
        "CExpat", .product(name: "TrackIngest", package: "Roqua"),
        .product(name: "Geodesy", package: "Roqua"),
      ]),
  ]
)
