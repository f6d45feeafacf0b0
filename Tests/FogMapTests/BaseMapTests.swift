import Foundation
import TestSupport
import Testing

@testable import FogMap

/// `data/packed/basemap.bin`, read by a slow reader of this file.
@Suite struct BaseMapTests {
  /// A ring or line: its lowest zoom and its points in degrees.
  private struct Shape {
    let rank: Int
    let points: [(x: Double, y: Double)]
  }

  /// The shapes of each layer by square.
  private static let layers: [[Int: [Shape]]] = {
    let bytes = MapPageReader.inflated(BaseMap.linkedIn.shapes) ?? []
    var offset = 0
    func varint() -> Int {
      var (value, shift) = (0, 0)
      while offset < bytes.count {
        let byte = bytes[offset]
        offset += 1
        value |= Int(byte & 127) << shift
        shift += 7
        if byte < 128 { break }
      }
      return value
    }
    func signed() -> Int {
      let value = varint()
      return value % 2 == 0 ? value / 2 : -(value + 1) / 2
    }
    guard varint() == 1 else { return [] }
    var layers: [[Int: [Shape]]] = []
    for _ in 0..<5 {
      var squares: [Int: [Shape]] = [:]
      var square = 0
      for _ in 0..<varint() {
        square += varint()
        let (west, south) = (
          Double(square % 32) * 11.25 - 180, Double(square / 32) * 11.25 - 90
        )
        for _ in 0..<varint() {
          let rank = Int(bytes[offset])
          offset += 1
          var (x, y) = (0, 0)
          let points = (0..<varint()).map { _ in
            x += signed()
            y += signed()
            return (x: west + Double(x) / 1_000, y: south + Double(y) / 1_000)
          }
          squares[square, default: []].append(Shape(rank: rank, points: points))
        }
      }
      layers.append(squares)
    }
    return offset == bytes.count ? layers : []
  }()

  /// Whether a position is inside the rings of a layer, by winding number.
  private func contains(_ layer: Int, latitude: Double, longitude: Double) -> Bool {
    let square = Int((latitude + 90) / 11.25) * 32 + Int((longitude + 180) / 11.25)
    var winding = 0
    for shape in Self.layers[layer][square] ?? [] {
      for (index, start) in shape.points.enumerated() {
        let end = shape.points[(index + 1) % shape.points.count]
        let side =
          (end.x - start.x) * (latitude - start.y) - (longitude - start.x) * (end.y - start.y)
        if start.y <= latitude, end.y > latitude, side > 0 { winding += 1 }
        if start.y > latitude, end.y <= latitude, side < 0 { winding -= 1 }
      }
    }
    return winding != 0
  }

  @Test func `the whole file is read, and every point lies in or near its square`() {
    #expect(Self.layers.count == 5)
    for (layer, squares) in Self.layers.enumerated() {
      #expect(squares.count > 30, "layer \(layer)")
      for (square, shapes) in squares {
        let (west, south) = (
          Double(square % 32) * 11.25 - 180, Double(square / 32) * 11.25 - 90
        )
        #expect((0..<512).contains(square))
        for shape in shapes {
          #expect(shape.points.count >= (layer < 2 ? 3 : 2))
          #expect(
            shape.points.allSatisfy {
              (west - 0.021...west + 11.271).contains($0.x)
                && (south - 0.021...south + 11.271).contains($0.y)
            })
        }
      }
    }
  }

  @Test func `land is land, sea is sea and lakes are lakes`() {
    let land = [
      (48.8566, 2.3522), (39.7392, -104.9903), (-33.865, 151.2), (71.0, -40), (-80, 0),
      (64.1, -19),
    ]
    for (latitude, longitude) in land {
      #expect(contains(0, latitude: latitude, longitude: longitude), "\(latitude) \(longitude)")
    }
    for (latitude, longitude) in [(40.0, -40.0), (0, -150), (42, 51), (56, 3), (-60, 100)] {
      #expect(!contains(0, latitude: latitude, longitude: longitude), "\(latitude) \(longitude)")
    }
    // Superior, Victoria, Baikal, Ladoga, Titicaca.
    for (latitude, longitude) in [
      (47.6, -88.0), (-1, 33), (53.5, 108), (60.8, 31.5), (-15.8, -69.4),
    ] {
      #expect(contains(1, latitude: latitude, longitude: longitude), "\(latitude) \(longitude)")
    }
    #expect(!contains(1, latitude: 48.8566, longitude: 2.3522))
  }

  @Test func `most countries have a place for their name, once each`() {
    let codes = BaseMap.linkedIn.labels.compactMap(\.countryCode)
    #expect(Set(codes).count == codes.count)
    #expect(codes.count > 230)
    for code in ["DE", "US", "BR", "SS", "XK"] { #expect(codes.contains(code), "\(code)") }
    let regions = BaseMap.linkedIn.labels.filter { $0.countryCode == nil }
    #expect(regions.count > 2_000)
    for label in BaseMap.linkedIn.labels {
      #expect(abs(label.latitudeDegrees) < 90 && abs(label.longitudeDegrees) <= 180)
      #expect(1...10 ~= label.lowestZoom)
    }
  }

  @Test func `damaged files are refused`() {
    var bytes = [UInt8](MapPageFile.baseMap.bytes.prefix(200))
    #expect(bytes.withUnsafeBytes { BaseMap($0) } == nil)
    bytes = Array("RoquaGeo".utf8) + [UInt8](repeating: 255, count: 100)
    #expect(bytes.withUnsafeBytes { BaseMap($0) } == nil)
    #expect([UInt8]().withUnsafeBytes { BaseMap($0) } == nil)
  }
}
