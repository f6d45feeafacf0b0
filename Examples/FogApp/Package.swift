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
      swiftSettings: [.swiftLanguageMode(.v6)])
  ]
)
