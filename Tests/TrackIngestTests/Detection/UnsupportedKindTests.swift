import Foundation
import TestSupport
import Testing

@testable import TrackIngest

/// Files that contain tracks in formats that are not supported yet.
@Suite struct UnsupportedKindTests {
  private func kind(_ bytes: some Sequence<UInt8>) -> ContentKind {
    Array(bytes).withUnsafeBytes { ContentKind(prefix: $0) }
  }

  @Test func `an archive is of a kind by the names of its members`() {
    for names: Set in [["metadata.xxm", "1"], ["metadata.mldm"]] {
      #expect(UnsupportedKind(archiveMembers: names) == .mldx)
    }
    for names: Set in [[], ["a.gpx"], ["a/metadata.xxm"]] {
      #expect(UnsupportedKind(archiveMembers: names) == nil)
    }
  }

  @Test func `a tile of Fog of World is a list of blocks in a zlib stream`() throws {
    func tile(_ numbers: [Int: Int]) throws -> [UInt8] {
      var bytes = [UInt8](repeating: 0, count: 32_768 + 515 * numbers.count)
      for (place, number) in numbers {
        bytes[2 * place] = UInt8(number & 0xFF)
        bytes[2 * place + 1] = UInt8(number >> 8)
      }
      // NSData's zlib is a raw deflate stream without the header.
      return [0x78, 0x9C] + Deflate.raw(bytes)
    }
    #expect(try kind(tile([7: 1, 9: 2, 16_383: 3])) == .track(.fogOfWorld))
    #expect(try kind(tile([:])) != .track(.fogOfWorld))
    #expect(try kind(tile([7: 1, 9: 1])) != .track(.fogOfWorld))
    #expect(try kind(tile([7: 1, 9: 3])) != .track(.fogOfWorld))
    #expect(kind([0x78, 0x9C, 1, 2, 3]) == .unknown)
  }

  @Test(arguments: [
    "{\"a\":1}", "[1,2,3]", "{\"type\":\"FeatureCollection\",\"features\":[]}",
    "{\"type\":\"Polygon\",\"coordinates\":[[[7,48],[8,48],[8,49],[7,48]]]}",
    "name,platform,value\n",
    "{\"locations\":[]}", "A note about latitude and nothing else\n", "{\"class\":\"x\"}",
    "[{\"startTime\":1}]",
    // A geometry type that is not the type of the object with the coordinates.
    """
    {"type":"Feature","properties":{"type":"Point"},\
    "geometry":{"type":"Polygon","coordinates":[[[7,48],[8,48],[8,49],[7,48]]]}}
    """,
    "{\"type\":\"Point\",\"a\":{\"type\":\"Polygon\",\"coordinates\":[]}}",
    // Prose, programs and tables that mention latitude and longitude.
    "Coordinates are given as (lat, lon) in degrees.\nThose are 48.1, 8.2.\n",
    "Coordinates are given as lat, lon.\n48.1, 8.2\n",
    "Coordinates are given as lat, lon\nin decimal degrees, north and east.\n",
    "def distance(lat, lon):\n  return 48.1, 8.2\n", "lat, lon = 0, 0\n48.1, 8.2, 0\n",
    "INSERT INTO places (id, lat, lon) VALUES\n(1, 48.1, 8.2);\n",
    "INSERT INTO places (id, lat, lon, name) VALUES\n(1, 48.1, 8.2, 'a'),\n",
    "COPY places (id, lat, lon, name) FROM stdin;\n1\t48.1\t8.2\ta\n",
    "lat/lon,name\n48.1,8.2\n", "time,lat,lon\n", "time,lat,lon\n1,north,east\n",
    "time,lat,lon\n1,48.1\n",
    // A bank statement.
    "<?xml version=\"1.0\"?><Document xmlns=\"urn:iso:std:iso:20022:tech:xsd:camt.053.001.02\">",
    "<Placemark/>",
    // An astronomical image.
    "SIMPLE  =                    T / conforms to FITS standard",
  ])
  func `files without tracks have no unsupported kind`(text: String) {
    switch kind(text.utf8) {
    case .unsupported(let kind): Issue.record("\(text): \(kind)")
    case .track(let format): Issue.record("\(text): \(format)")
    default: break
    }
  }

  @Test func `a file extension gives the kind if the content cannot`() {
    for name in ["a/b/Ride.MLDX", "c\\d.mldx"] {
      #expect(UnsupportedKind(fileName: name) == .mldx)
    }
    for name in ["", "a.fwss", "fit", "a.json", "a.csv", "._a.mldx", "a.mldx/b"] {
      #expect(UnsupportedKind(fileName: name) == nil, "\(name)")
    }
  }
}
