import ByteStreams
import FogMap
import Foundation
import GridHash
import TestSupport
import Testing

@testable import Roqua

/// Tiles of fog for map views.
@Suite struct FogTileSourceTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A store with a walk of 40 fixes, 90 m apart.
  private func explorer(zone: PrivacyZone? = nil) async throws -> (Explorer, [Coordinate]) {
    let explorer = try Explorer(storePath: folder.file("store.sqlite"))
    if let zone { _ = try await explorer.addPrivacyZone(zone, named: "home") }
    let points = (0..<40).map { Coordinate(48 + Double($0) * 0.0008, 11) }
    let recording = try await explorer.startRecording(named: "Walk")
    for (index, point) in points.enumerated() {
      _ = try await recording.add(
        Fix(
          coordinate: point,
          time: Timestamp(millisecondsSince1970: 1_700_000_000_000 + 60_000 * Int64(index)),
          horizontalAccuracyMeters: 5))
    }
    _ = try await recording.finish()
    return (explorer, points)
  }

  private static func tile(_ zoom: Int, at point: Coordinate) -> (x: Int, y: Int) {
    let count = Double(1 << zoom)
    let angle = point.latitudeDegrees * .pi / 180
    return (
      Int((point.longitudeDegrees / 360 + 0.5) * count),
      Int((0.5 - asinh(tan(angle)) / (2 * .pi)) * count)
    )
  }

  @Test func `pictures of cells are those that map tiles have`() async throws {
    let (explorer, points) = try await explorer()
    let source = try await explorer.fogTiles()
    let path = folder.file("tiles")
    _ = try explorer.writeMapTiles(to: path, options: MapTileOptions(zooms: 0...14))
    let (x, y) = Self.tile(14, at: points[20])
    let shares = try #require(source.shares(zoom: 14, x: x, y: y))
    #expect(shares.contains(255) && shares.contains(0))
    let written = try FilePath("\(path)/14/\(x)/\(y).png").contents()
    let fog = PixelColor(red: 24, green: 28, blue: 38, alpha: 217)
    #expect(written == FogTileEncoder(fog: fog, levels: 64).encode(shares))
    #expect(source.picture(zoom: 14, x: x, y: y) == FogTileEncoder(fog: fog).encode(shares))
    #expect(source.shapes(zoom: 14, x: x, y: y) != nil)
  }

  @Test func `discs of the app's style are round, and cells are not`() async throws {
    let (explorer, points) = try await explorer()
    let (x, y) = Self.tile(15, at: points[0])
    let discs = try #require(try await explorer.fogTiles(style: .app).shares(zoom: 15, x: x, y: y))
    let cells = try #require(try await explorer.fogTiles().shares(zoom: 15, x: x, y: y))
    #expect(discs != cells)
    // A disc of 150 m and the cells of it have the same area, to a few percent.
    let sums = [discs, cells].map { $0.reduce(0) { $0 + Int($1) } }
    #expect(abs(Double(sums[0]) / Double(sums[1]) - 1) < 0.1)
  }

  @Test func `tiles that do not exist are nil, and empty ones are all fog`() async throws {
    let (explorer, _) = try await explorer()
    for style in [FogStyle.standard, .app] {
      let source = try await explorer.fogTiles(style: style)
      #expect(source.picture(zoom: 3, x: 8, y: 0) == nil)
      #expect(source.picture(zoom: 23, x: 0, y: 0) == nil)
      #expect(source.shares(zoom: -1, x: 0, y: 0) == nil)
      #expect(source.shares(zoom: 12, x: 0, y: 0) == nil)
      #expect(source.shapes(zoom: 12, x: 0, y: 0) == nil)
      let fog = PixelColor(
        red: style.red, green: style.green, blue: style.blue,
        alpha: UInt8((style.opacity * 255).rounded()))
      #expect(source.picture(zoom: 12, x: 0, y: 0) == FogTileEncoder(fog: fog).fogged)
    }
  }

  @Test func `nothing near a privacy zone is clear, in any style`() async throws {
    let home = Coordinate(48.016, 11)
    let (explorer, points) = try await explorer(
      zone: PrivacyZone(center: home, radiusMeters: 200))
    for style in [FogStyle.standard, .app, FogStyle(shape: .discs, edgeMeters: 100)] {
      let source = try await explorer.fogTiles(style: style)
      let (x, y) = Self.tile(15, at: home)
      let shares = source.shares(zoom: 15, x: x, y: y) ?? [UInt8](repeating: 0, count: 65_536)
      let world = Double(256 << 15)
      for index in shares.indices where shares[index] > 0 {
        let row = (Double(y * 256 + index / 256) + 0.5) / world
        let latitude = atan(sinh(.pi * (1 - 2 * row))) * 180 / .pi
        #expect(abs(latitude - 48.016) * 111_195 > 350, "\(style.shape) at \(latitude)")
      }
      let (far, away) = Self.tile(15, at: points[0])
      #expect(source.shares(zoom: 15, x: far, y: away) != nil)
    }
  }

  @Test func `many threads get the same tiles`() async throws {
    let (explorer, points) = try await explorer()
    let source = try await explorer.fogTiles(style: FogStyle(shape: .discs, edgeMeters: 50))
    let places = (8...18).map { (zoom: $0, tile: Self.tile($0, at: points[10])) }
    let expected = places.map { source.picture(zoom: $0.zoom, x: $0.tile.x, y: $0.tile.y) }
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          places.map { source.picture(zoom: $0.zoom, x: $0.tile.x, y: $0.tile.y) } == expected
        }
      }
      for await isSame in group { #expect(isSame) }
    }
  }
}
