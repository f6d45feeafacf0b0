// swift-tools-version: 6.2
import PackageDescription

/// Set `ROQUA_STRICT=1` to turn every warning of this package into an error, as CI does. It is not
/// the default, so that a newer compiler's new warning never breaks an app that embeds the
/// libraries.
let isStrict = Context.environment["ROQUA_STRICT"] == "1"

let settings: [SwiftSetting] =
  [.swiftLanguageMode(.v6)] + (isStrict ? [.treatAllWarnings(as: .error)] : [])

/// Whether another package depends on this one and fetched it: it gets the libraries, and nothing
/// that only the tool needs is resolved for it. SwiftPM reads the manifest of such a package from
/// "/" while it chooses versions, and then from a folder in `checkouts`.
let isDependency: Bool = {
  let folders = Context.packageDirectory.split(separator: "/")
  return folders.isEmpty || folders.dropLast().last == "checkouts"
}()

/// Set `ROQUA_OPTIMIZED=1` to optimize the rooms in which tests spend most of their time, in builds
/// for debugging too, with their assertions. `scripts/swift-build` does that for CI.
let optimization: [SwiftSetting] =
  Context.environment["ROQUA_OPTIMIZED"] == "1" && !isDependency
  ? [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))] : []

/// The rooms that ``optimization`` is for. To optimize the others, too, takes minutes more.
let optimizedRooms: Set<String> = [
  "AgeFile", "ByteStreams", "ConcurrentMap", "FogMap", "GeoExport", "GeoStore", "Geocode",
  "Geodesy", "GridHash", "SQLiteLayer", "SeededRandom", "TrackIngest",
]

/// Set `ROQUA_DOCS=1` to add the plugin that builds the documentation, as `make docs` does. It is
/// not the default, so that nobody who embeds the libraries resolves a package for it.
let documentationPlugin: [Package.Dependency] =
  Context.environment["ROQUA_DOCS"] == "1"
  ? [.package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.4.0")] : []

/// Set `ROQUA_EXTENSION=1` to add the product of the extension for SQLite, as `make extension`
/// does. It is not the default, so that nobody who builds the tool or embeds the libraries links
/// it.
let extensionProduct: [Product] =
  Context.environment["ROQUA_EXTENSION"] == "1" && !isDependency
  ? [.library(name: "roqua_sqlite", type: .dynamic, targets: ["RoquaSQLExtension"])] : []

/// How the extension is linked on Linux: with the Swift runtime, so that a program without one can
/// load it; without what is not used; and with one visible symbol.
let extensionLinking: [LinkerSetting] =
  extensionProduct.isEmpty
  ? []
  : [
    .unsafeFlags(
      [
        "-static-stdlib", "-Xlinker", "--gc-sections", "-Xlinker", "--as-needed", "-Xlinker",
        "--version-script=\(Context.packageDirectory)/packaging/extension.map",
      ],
      .when(platforms: [.linux]))
  ]

/// The products with which the fuzzers of `Fuzz` reach the messages of phones and files in the age
/// format. Apps do not get them.
let fuzzedProducts: [Product] =
  isDependency
  ? [] : ["PhoneProtocols", "AgeFile"].map { .library(name: $0, targets: [$0]) }

/// A room of the house: a library target, its product, and nothing but other rooms and system
/// libraries below it.
func room(
  _ name: String, _ dependencies: [Target.Dependency] = [], linking: [LinkerSetting] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies,
    swiftSettings: settings + (optimizedRooms.contains(name) ? optimization : []),
    linkerSettings: linking)
}

/// The tests of one room.
func tests(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [])
  -> Target
{
  .testTarget(
    name: name, dependencies: ["TestSupport"] + dependencies, exclude: exclude,
    swiftSettings: settings)
}

/// The tool writes WebP pictures and encrypts on Linux, where libwebp and libsodium are packages of
/// every distribution. On macOS it is built with `--traits CommandLineTool,WebP` for pictures, and
/// encrypts with CryptoKit.
#if os(Linux)
  let toolTraits: Set<String> = ["CommandLineTool", "WebP", "Sync"]
#else
  let toolTraits: Set<String> = ["CommandLineTool"]
#endif

let package = Package(
  name: "Roqua",
  platforms: [.macOS(.v15), .iOS(.v18)],
  products: [
    .library(name: "Roqua", targets: ["Roqua"]),
    .library(name: "Achievements", targets: ["Achievements"]),
    .library(name: "GeoStore", targets: ["GeoStore"]),
    .library(name: "Geocode", targets: ["Geocode"]),
    .library(name: "TrackIngest", targets: ["TrackIngest"]),
    .library(name: "GridHash", targets: ["GridHash"]),
    .library(name: "Geodesy", targets: ["Geodesy"]),
    .library(name: "Profiles", targets: ["Profiles"]),
    .library(name: "StoreSync", targets: ["StoreSync"]),
    .library(name: "StoreLock", targets: ["StoreLock"]),
    .library(name: "PostgresPush", targets: ["PostgresPush"]),
    .library(name: "Session", targets: ["Session"]),
    .library(name: "RoquaTesting", targets: ["RoquaTesting"]),
    .executable(name: "roqua", targets: ["roqua-tool"]),
  ] + extensionProduct + fuzzedProducts,
  traits: [
    .default(enabledTraits: isDependency ? [] : toolTraits),
    .trait(
      name: "CommandLineTool",
      description: "The tool roqua. Only it needs swift-argument-parser and swift-nio."),
    .trait(
      name: "SpatiaLite",
      description:
        "Comparisons with SpatiaLite and PROJ, as oracles in tests. Needs libspatialite-dev. "
        + "Without it, the tool still uses SpatiaLite where it is installed.",
      enabledTraits: toolTraits),
    .trait(name: "WebP", description: "Pictures as WebP. Needs libwebp-dev."),
    .trait(
      name: "Sync",
      description:
        "Encrypted files on Linux. Needs libsodium-dev. Apple's platforms have CryptoKit instead."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.6.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
  ] + documentationPlugin,
  targets: [
    room("SeededRandom"),
    room("ConcurrentMap"),
    .target(name: "CNearbyDistance"),
    room("Geodesy", ["CNearbyDistance"]),
    room("ByteStreams", ["CSHA256", "CZlib"]),
    room(
      "AgeFile",
      [
        "ByteStreams",
        .target(name: "CSodium", condition: .when(platforms: [.linux], traits: ["Sync"])),
      ]),
    room("GridHash", ["Geodesy"]),
    room("FogMap", ["GridHash", "ByteStreams", "CMapPage"]),
    .target(name: "CMapPage", exclude: ["page"]),
    .target(name: "CGazetteer"),
    room("Geocode", ["Geodesy", "ConcurrentMap", "CGazetteer"]),
    .target(name: "CAchievements"),
    room("Achievements", ["Geodesy", "CAchievements"]),
    room("TrackIngest", ["Geodesy", "ByteStreams"]),
    room("Session", ["Geodesy", "TrackIngest", "Achievements"]),
    room("RoquaTesting", ["Session"]),
    room("PhoneProtocols", ["ByteStreams", "Geodesy", "TrackIngest"]),
    room("Receivers"),
    room("Profiles", ["ByteStreams", "Geodesy"]),
    room("SQLiteLayer", ["ByteStreams", "CSQLite"]),
    room("GeoExport", ["Geodesy", "GridHash", "ByteStreams", "SQLiteLayer", "CSQLite"]),
    room("GeoStore", ["SQLiteLayer", "ByteStreams", "Geodesy", "GridHash", "CSQLite"]),
    room("StoreSync", ["ByteStreams", "AgeFile", "Geodesy", "GeoStore", "SQLiteLayer"]),
    room("StoreLock", ["ByteStreams", "AgeFile", "SQLiteLayer", "GeoStore", "CSQLite"]),
    .target(name: "CPostgresSQL", exclude: ["sql"]),
    room(
      "PostgresPush",
      [
        "ByteStreams", "Geodesy", "GridHash", "SQLiteLayer", "GeoStore", "CPostgresSQL",
      ]),
    room(
      "Roqua",
      [
        "ByteStreams", "SQLiteLayer", "Geodesy", "GridHash", "FogMap", "GeoExport", "Geocode",
        "TrackIngest", "Session", "GeoStore", "Achievements", "ConcurrentMap",
        .target(name: "CWebP", condition: .when(traits: ["WebP"])),
      ]),
    room(
      "HomeServer",
      [
        "Roqua", "GeoStore", "SQLiteLayer", "ByteStreams", "PhoneProtocols", "TrackIngest",
        "Geodesy",
      ]),
    .target(name: "CSQLiteCalls", dependencies: ["CSQLite"]),
    room(
      "RoquaSQL",
      [
        "Geodesy", "GridHash", "Geocode", "GeoStore", "SQLiteLayer", "Roqua", "CSQLite",
        "CSQLiteCalls",
      ]),
    room("RoquaSQLExtension", ["RoquaSQL", "CSQLiteCalls"], linking: extensionLinking),
    room(
      "RoquaBench",
      [
        "SeededRandom", "Roqua", "GeoStore", "SQLiteLayer", "TrackIngest", "Geocode", "GridHash",
        "Geodesy",
        "ByteStreams",
        "CSQLite",
        .target(name: "CSpatiaLite", condition: .when(traits: ["SpatiaLite"])),
      ]),
    .executableTarget(
      name: "roqua-tool",
      dependencies: [
        "ByteStreams", "SQLiteLayer", "FogMap", "Achievements", "Receivers", "Roqua", "RoquaSQL",
        "RoquaBench", "HomeServer", "Profiles", "StoreSync", "StoreLock", "AgeFile", "GeoStore",
        "PostgresPush", "CProcessMemory",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: ["CommandLineTool"])),
      ]
        + ["NIOCore", "NIOPosix", "NIOHTTP1"].map { name in
          .product(
            name: name, package: "swift-nio", condition: .when(traits: ["CommandLineTool"]))
        },
      swiftSettings: settings),

    .target(name: "CSHA256"),
    .target(name: "CProcessMemory"),
    .systemLibrary(
      name: "CSQLite", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
    .systemLibrary(
      name: "CZlib", pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]),
    .systemLibrary(
      name: "CWebP", pkgConfig: "libwebp",
      providers: [.apt(["libwebp-dev"]), .brew(["webp"])]),
    .systemLibrary(
      name: "CSodium", pkgConfig: "libsodium",
      providers: [.apt(["libsodium-dev"]), .brew(["libsodium"])]),
    .systemLibrary(
      name: "CSpatiaLite", pkgConfig: "spatialite",
      providers: [.apt(["libspatialite-dev"]), .brew(["libspatialite"])]),
    .systemLibrary(
      name: "CProj", pkgConfig: "proj",
      providers: [.apt(["libproj-dev"]), .brew(["proj"])]),

    .target(
      name: "TestSupport", dependencies: ["SeededRandom", "Geodesy", "TrackIngest", "CZlib"],
      path: "Tests/TestSupport",
      swiftSettings: settings),
    .target(name: "CFaultVFS", dependencies: ["CSQLite"], path: "Tests/CFaultVFS"),
    .target(name: "CAllocationCount", path: "Tests/CAllocationCount"),
    tests(
      "GeodesyTests",
      [
        "Geodesy", "CNearbyDistance",
        .target(name: "CProj", condition: .when(traits: ["SpatiaLite"])),
      ]),
    tests("ByteStreamsTests", ["ByteStreams", "Geodesy"]),
    tests("AgeFileTests", ["AgeFile", "ByteStreams"], exclude: ["Vectors"]),
    tests(
      "SessionTests",
      ["Session", "RoquaTesting", "TrackIngest", "Achievements", "Geodesy", "SeededRandom"]),
    tests("ConcurrentMapTests", ["ConcurrentMap", "SeededRandom"]),
    tests("ReceiversTests", ["Receivers"]),
    tests("ProfilesTests", ["Profiles", "ByteStreams", "Geodesy", "SeededRandom"]),
    tests("SQLiteLayerTests", ["SQLiteLayer", "CSQLite", "CFaultVFS"]),
    tests("GridHashTests", ["GridHash", "Geodesy"]),
    tests(
      "FogMapTests",
      [
        "FogMap", "GridHash", "ByteStreams", "Geodesy",
        .target(name: "CProj", condition: .when(traits: ["SpatiaLite"])),
      ]),
    tests(
      "GeoExportTests",
      [
        "GeoExport", "TrackIngest", "GridHash", "ByteStreams", "SQLiteLayer", "Geodesy", "CSQLite",
        .target(name: "CSpatiaLite", condition: .when(traits: ["SpatiaLite"])),
      ]),
    tests("AchievementsTests", ["Achievements", "Geodesy", "SeededRandom"]),
    tests("GeocodeTests", ["Geocode", "Geodesy", "CAllocationCount"]),
    tests("TrackIngestTests", ["TrackIngest", "ByteStreams", "Geodesy"], exclude: ["Regressions"]),
    tests("PhoneProtocolsTests", ["PhoneProtocols", "TrackIngest", "Geodesy"]),
    tests(
      "GeoStoreTests",
      [
        "GeoStore", "SQLiteLayer", "ByteStreams", "GridHash", "Geodesy", "CSQLite", "CFaultVFS",
        "CAllocationCount",
        .target(name: "CSpatiaLite", condition: .when(traits: ["SpatiaLite"])),
      ]),
    tests(
      "StoreSyncTests",
      ["StoreSync", "ByteStreams", "AgeFile", "Geodesy", "GeoStore", "SQLiteLayer"]),
    tests(
      "StoreLockTests",
      ["StoreLock", "GeoStore", "ByteStreams", "AgeFile", "SQLiteLayer", "CSQLite"]),
    tests(
      "PostgresPushTests",
      ["PostgresPush", "GeoStore", "GridHash", "SQLiteLayer", "ByteStreams", "Geodesy"]),
    tests(
      "RoquaTests",
      [
        "CSQLite", "Roqua", "ByteStreams", "GeoStore", "SQLiteLayer", "GridHash", "FogMap",
        "Geocode", "TrackIngest", "Achievements", "Geodesy",
      ]),
    tests(
      "HomeServerTests",
      [
        "HomeServer", "Roqua", "GeoStore", "SQLiteLayer", "PhoneProtocols", "TrackIngest",
        "Geodesy",
      ]
    ),
    tests(
      "RoquaSQLTests",
      [
        "RoquaSQL", "Roqua", "GeoStore", "SQLiteLayer", "GridHash", "Geocode", "Geodesy", "CSQLite",
        "CSQLiteCalls",
      ]),
    tests(
      "RoquaBenchTests",
      ["RoquaBench", "Roqua", "GeoStore", "SQLiteLayer", "TrackIngest", "GridHash", "Geodesy"]),
    tests(
      "ToolTests", ["roqua-tool", "Receivers", "ByteStreams", "SQLiteLayer", "Geodesy", "CSQLite"],
      exclude: ["Golden"]),
  ]
)
