import Geodesy
import Testing

@testable import Geocode

/// Local names of cities in East Asia, and entries of names.bin that no name can have.
@Suite struct LocalNamesTests {
  @Test(arguments: [
    (35.69, 139.69, "東京"), (35.44, 139.64, "横浜"), (37.566, 126.978, "서울"),
    (35.18, 129.075, "부산"), (22.547, 114.068, "深圳"), (31.23, 121.47, "上海"),
    (43.80, 87.60, "乌鲁木齐"),
  ])
  func `a city in East Asia has its name without the word for city`(
    latitude: Double, longitude: Double, name: String
  ) throws {
    let place = try Geocoder.bundled.place(at: Coordinate(latitude, longitude))
    #expect(place.localName == name)
  }

  @Test func `a city in China is not called by one of its streets`() throws {
    let geocoder = try Geocoder.bundled
    let streets: Set = ["南干道", "延安北路", "将官池", "奋斗", "紫荆路", "闸口社区"]
    let names = try #require(geocoder.gazetteer.otherNames)
    let chinese = try #require(names.row(ofTag: "zh"))
    let local = try #require(names.localRow)
    var count = 0
    for row in [chinese, local] {
      names.forEachCity(language: row) { _, name in
        let text = String(decoding: name, as: UTF8.self)
        #expect(!streets.contains(text))
        count += 1
      }
    }
    #expect(count > 5_000)
  }

  @Test(arguments: [(1, 1, nil), (0, 1, "RNAM"), (1, 0, "CNAM"), (3, 1, "RNAM"), (1, 2, "CNAM")])
  func `a name that is empty or not in the pool is damage`(
    region: Int, city: Int, section: String?
  ) {
    var writer = PackedFileWriter(kind: .names)
    let languages: [UInt8] =
      Array("de".utf8) + [UInt8](repeating: 0, count: 6)
      + [0, 1, 0, 1].flatMap(PackedFileWriter.u32)
    writer.add("LANG", count: 1, languages)
    writer.add("RNAM", count: 1, PackedFileWriter.u32(1) + PackedFileWriter.u32(region))
    writer.add("CNAM", count: 1, PackedFileWriter.u32(1) + PackedFileWriter.u32(city))
    writer.add("NAME", count: 3, [0, 1, 65])
    let owner = ByteOwner(copying: writer.written())
    var found: GeocodeError?
    do throws(GeocodeError) {
      _ = try NamesFile(owner, trust: .outside)
    } catch {
      found = error
    }
    #expect(found == section.map { .damaged(.names, section: $0) })
  }
}
