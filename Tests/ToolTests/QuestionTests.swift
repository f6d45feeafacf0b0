import Foundation
import Geodesy
import TestSupport
import Testing

/// `roqua near` and `roqua within`.
@Suite struct QuestionTests {
  private static let regionMembers: Set<String> = [
    "id", "latitude", "longitude", "radius", "distanceMeters", "visitCount", "timestampStart",
    "timestampEnd",
    "quarter", "city", "district", "region", "regionCode", "country", "countryCode", "geohash",
  ]

  @Test func `near lists regions with all documented members, nearest first`() throws {
    let bench = try Bench()
    try bench.importSamples()
    let document = try bench.json("near", "48.5676", "7.8010", "--radius", "2km")
    #expect(document.names == ["regions"])
    let regions = document.regions.elements
    #expect(regions.count > 5)
    for region in regions {
      #expect(region.names == Self.regionMembers)
      #expect(region.radius.int == 150)
      #expect(region.visitCount.int.map { $0 >= 1 } == true)
      #expect(region.timestampStart.string?.hasPrefix("2024-09-14T") == true)
      #expect(region.timestampEnd.string?.hasSuffix("Z") == true)
      #expect(region.geohash.string?.count == 9)
      #expect(["FR", "DE"].contains(region.countryCode.string))
      #expect(["France", "Germany"].contains(region.country.string))
      #expect(["Strasbourg", "Kehl"].contains(region.city.string))
      let code = region.countryCode.string == "FR" ? "FR-GES" : "DE-BW"
      #expect(region.regionCode.string == code)
    }
    let distances = regions.compactMap(\.distanceMeters.double)
    #expect(distances == distances.sorted())
    #expect(distances.allSatisfy { $0 <= 2_000 })
    let few = try bench.json("near", "48.5676", "7.8010", "--radius", "2km", "--limit", "2")
    #expect(few.regions.elements == Array(regions.prefix(2)))
  }

  @Test func `--nearest returns the regions with the smallest distances, however far away`() throws
  {
    let bench = try Bench()
    try bench.importSamples()
    let all = try bench.json("within", "-90", "-180", "90", "180").regions.elements
    for center in [Coordinate(48.56, 7.8), Coordinate(-60, -120)] {
      let distances = all.compactMap { region -> Double? in
        guard let latitude = region.latitude.double, let longitude = region.longitude.double else {
          return nil
        }
        return center.distanceMeters(to: Coordinate(latitude, longitude))
      }.sorted()
      let found = try bench.json(
        "near", "\(center.latitudeDegrees)", "\(center.longitudeDegrees)", "--nearest", "7"
      ).regions.elements.compactMap(\.distanceMeters.double)
      #expect(found.count == 7)
      for (found, expected) in zip(found, distances) { #expect(abs(found - expected) < 0.001) }
    }
    let more = try bench.json("near", "0", "0", "--nearest", "\(Int.max)")
    #expect(more.regions.elements.count == all.count)
    #expect(try bench.roqua("near", "0", "0", "--nearest", "3", "--radius", "1km").status == 64)
  }

  @Test func `within accepts polygons, countries, cities and times, and supports counts and pages`()
    throws
  {
    let bench = try Bench()
    try bench.importSamples()
    let all = try bench.json("within", "-90", "-180", "90", "180").regions.elements
    func ids(_ arguments: String...) throws -> [Int] {
      let result = try bench.roqua(["within"] + arguments + ["--json"])
      #expect(result.status == 0, "\(result.err)")
      return try JSONTree(parsing: result.out).regions.elements.compactMap(\.id.int)
    }
    let french = all.filter { $0.countryCode.string == "FR" }.compactMap(\.id.int)
    #expect(!french.isEmpty && french.count < all.count)
    #expect(try ids("--country", "fr") == french)
    #expect(try bench.json("within", "--country", "FR", "--count").count.int == french.count)
    #expect(
      try bench.roqua("within", "--country", "FR", "--count").out == "\(french.count) regions\n")
    let kehl = all.filter { $0.city.string == "Kehl" }.compactMap(\.id.int)
    #expect(try ids("--city", "Kehl") == kehl)
    let then = all.filter { $0.timestampStart.string?.hasPrefix("2024-09-14") == true }.compactMap(
      \.id.int)
    #expect(!then.isEmpty)
    #expect(try ids("--from", "2024-09-14", "--to", "2024-09-14") == then)
    #expect(
      try ids("--from", "2024-09", "--to", "2024-09", "--country", "FR").allSatisfy(french.contains)
    )
    #expect(try ids("--to", "1999").isEmpty)
    // Reading page by page returns the same regions.
    var paged: [Int] = []
    while true {
      let page = try ids("--country", "FR", "--limit", "5", "--after", "\(paged.last ?? 0)")
      if page.isEmpty { break }
      paged += page
    }
    #expect(paged == french)
    try bench.folder.write(
      "{\"type\":\"Polygon\",\"coordinates\":[[[7,48],[8,48],[8,49],[7,49],[7,48]]]}",
      to: "area.geojson")
    let square = try ids("48", "7", "49", "8")
    #expect(!square.isEmpty)
    #expect(try ids("--polygon", "area.geojson") == square)
    try bench.folder.write("{\"type\":\"Point\",\"coordinates\":[7,48]}", to: "point.geojson")
    let none = try bench.roqua("within", "--polygon", "point.geojson")
    #expect(none.status == 1)
    #expect(none.err == "roqua: point.geojson: it contains no Polygon or MultiPolygon\n")
    #expect(try bench.roqua("within", "--polygon", "missing.geojson").status == 1)
    for wrong in [
      [], ["1", "2", "3"], ["--from", "2024-13"], ["--from", "2025", "--to", "2024"],
    ] {
      #expect(try bench.roqua(["within"] + wrong).status == 64, "\(wrong)")
    }
  }

  @Test func `near finds the same regions as a full scan`() throws {
    let bench = try Bench()
    try bench.importSamples()
    let all = try bench.json("within", "-90", "-180", "90", "180").regions.elements
    let center = Coordinate(-16.8, -179.99)
    let expected = all.filter { region in
      guard let latitude = region.latitude.double, let longitude = region.longitude.double else {
        return false
      }
      return center.distanceMeters(to: Coordinate(latitude, longitude)) <= 5_000
    }
    let found = try bench.json("near", "-16.8", "-179.99", "--radius", "5000").regions.elements
    #expect(Set(found.map(\.id)) == Set(expected.map(\.id)))
    #expect(found.contains { ($0.longitude.double ?? 0) > 0 })
    #expect(found.contains { ($0.longitude.double ?? 0) < 0 })
  }

  @Test func `near prints the same regions as text`() throws {
    let bench = try Bench()
    try bench.importSamples()
    let json = try bench.json("near", "48.5676", "7.8010", "--radius", "500m").regions.elements
    let words = try bench.roqua("near", "48.5676", "7.8010", "--radius", "500m")
    #expect(words.status == 0)
    #expect(words.err == "")
    let lines = words.out.split(separator: "\n")
    #expect(lines.count == json.count + 1)
    #expect(lines.last == "\(json.count) regions within 500 m")
    #expect(lines.first?.contains("1 visit") == true)
    #expect(lines.first?.contains("2024-09-14") == true)
    let nothing = try bench.roqua("near", "0", "0")
    #expect(nothing.status == 0)
    #expect(nothing.out == "no region within 1.00 km; --nearest 1 finds the nearest one\n")
    let empty = try Bench()
    #expect(try empty.roqua("settings", "percentageDecimals", "3").status == 0)
    #expect(try empty.roqua("near", "0", "0", "--nearest", "3").out == "no visited regions\n")
  }

  @Test func `a radius has a unit`() throws {
    let bench = try Bench()
    try bench.importSamples()
    func count(_ radius: String) throws -> Int {
      try bench.json("near", "48.5676", "7.8010", "--radius", radius).regions.elements.count
    }
    #expect(try count("2km") == count("2000"))
    #expect(try count("2000m") == count("2000"))
    #expect(try count("1mi") == count("1609.344"))
    #expect(try count("5000ft") == count("1524"))
    #expect(try count("0") == 0)
    for radius in ["-1", "2 parsecs", "", "nan", "km", "inf"] {
      #expect(try bench.roqua("near", "48", "7", "--radius", radius).status == 64, "\(radius)")
    }
  }

  @Test func `negative coordinates are not options, wherever the options are`() throws {
    let bench = try Bench()
    try bench.folder.write(TrackText.gpx(from: Coordinate(-33.9, 18.4), count: 3), to: "south.gpx")
    try bench.folder.write(TrackText.gpx(from: Coordinate(-0.5, -0.5), count: 3), to: "zero.gpx")
    #expect(try bench.roqua("import", "south.gpx", "zero.gpx").status == 0)
    let ways: [[String]] = [
      ["near", "-33.9", "18.4", "--radius", "500m", "--json"],
      ["near", "--radius", "500m", "-33.9", "18.4", "--json"],
      ["near", "--json", "--radius=500m", "-33.9", "18.4"],
      ["near", "-33.9", "--radius", "500m", "18.4", "--json"],
      ["near", "--radius", "500m", "--json", "--", "-33.9", "18.4"],
      ["within", "-33.91", "18.39", "-33.89", "18.41", "--json"],
      ["within", "--json", "--", "-33.91", "18.39", "-33.89", "18.41"],
    ]
    for arguments in ways {
      let result = try bench.roqua(arguments)
      #expect(result.status == 0, "\(arguments) \(result.err)")
      #expect(try JSONTree(parsing: result.out).regions.elements.count == 3, "\(arguments)")
    }
    for arguments in [
      ["near", "-.5", "-.5"], ["near", "-0.5", "-5e-1"], ["within", "-.6", "-.6", "-.4", "-.4"],
    ] {
      let result = try bench.roqua(arguments + ["--json"])
      #expect(try JSONTree(parsing: result.out).regions.elements.count == 3, "\(arguments)")
    }
  }

  @Test func `a box can cross 180°`() throws {
    let bench = try Bench()
    try bench.importSamples()
    let all = try bench.json("within", "-90", "-180", "90", "180").regions.elements
    let box = try bench.json("within", "-17", "179.95", "-16", "-179.95").regions.elements
    let expected = all.filter { region in
      guard let latitude = region.latitude.double, let longitude = region.longitude.double else {
        return false
      }
      return (-17...(-16)).contains(latitude) && (longitude >= 179.95 || longitude <= -179.95)
    }
    #expect(box == expected)
    #expect(
      box.contains { ($0.longitude.double ?? 0) > 0 }
        && box.contains { ($0.longitude.double ?? 0) < 0 })
    for region in box {
      #expect(region.names == Self.regionMembers)
      #expect(region.distanceMeters.isNull)
    }
    let few = try bench.json("within", "-17", "179.95", "-16", "-179.95", "--limit", "3")
    #expect(few.regions.elements == Array(box.prefix(3)))
    let words = try bench.roqua("within", "-17", "179.95", "-16", "-179.95")
    #expect(words.out.split(separator: "\n").count == box.count + 1)
    #expect(words.out.hasSuffix("\(box.count) regions in the box\n"))
  }

  @Test func `impossible queries are wrong usage`() throws {
    let bench = try Bench()
    try bench.importSamples()
    let runs = [
      ["near", "90.1", "0"], ["near", "-91", "0"], ["near", "0", "180.5"], ["near", "0"], ["near"],
      ["near", "north", "0"], ["near", "nan", "0"], ["near", "0", "0", "0"],
      ["near", "0", "0", "--limit", "-1"],
      ["within", "2", "0", "1", "0"], ["within", "0", "0", "91", "0"],
      ["within", "0", "-181", "1", "0"],
      ["within", "0", "0", "1"], ["within", "0", "0", "1", "1", "--limit", "many"],
    ]
    for arguments in runs {
      let result = try bench.roqua(arguments)
      #expect(result.status == 64, "\(arguments)")
      #expect(result.out == "", "\(arguments)")
      #expect(result.err.hasPrefix("Error: "), "\(arguments)")
    }
    // A negative number is quoted as it was typed.
    #expect(
      try bench.roqua("near", "0", "0", "--limit", "-1").err.hasPrefix(
        "Error: The value '-1' is invalid"))
  }
}
