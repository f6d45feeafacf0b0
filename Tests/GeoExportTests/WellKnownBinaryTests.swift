import Testing

@testable import GeoExport

@Suite struct WellKnownBinaryTests {
  @Test func `A point is its byte order, its code and two numbers`() {
    var geometry = ExportGeometry()
    geometry.append(x: 1, y: -2)
    var bytes: [UInt8] = []
    WellKnownBinary.append(geometry, .point, to: &bytes)
    #expect(
      bytes == [1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xF0, 0x3F, 0, 0, 0, 0, 0, 0, 0, 0xC0])
  }

  @Test func `A line has a measure at each position only if it is asked for`() {
    var geometry = ExportGeometry()
    geometry.append(x: 0, y: 0, measure: 5)
    geometry.append(x: 0, y: 1, measure: 6)
    var (plain, measured): ([UInt8], [UInt8]) = ([], [])
    WellKnownBinary.append(geometry, .line, to: &plain)
    WellKnownBinary.append(geometry, .line, measured: true, to: &measured)
    #expect(plain.count == 9 + 2 * 16)
    #expect(Array(plain[1...8]) == [2, 0, 0, 0, 2, 0, 0, 0])
    #expect(measured.count == 9 + 2 * 24)
    #expect(Array(measured[1...8]) == [0xD2, 7, 0, 0, 2, 0, 0, 0])
  }

  @Test func `A polygon lists the positions of each ring`() {
    var geometry = ExportGeometry()
    for (x, y) in [(0, 0), (4, 0), (4, 4), (0, 0)] { geometry.append(x: Double(x), y: Double(y)) }
    geometry.endRing()
    for (x, y) in [(2, 1), (3, 1), (3, 2), (2, 1)] { geometry.append(x: Double(x), y: Double(y)) }
    geometry.endRing()
    var bytes: [UInt8] = []
    WellKnownBinary.append(geometry, .polygon, to: &bytes)
    #expect(bytes.count == 9 + 2 * (4 + 4 * 16))
    #expect(Array(bytes[1...12]) == [3, 0, 0, 0, 2, 0, 0, 0, 4, 0, 0, 0])
  }
}
