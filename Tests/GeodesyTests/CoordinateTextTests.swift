import SeededRandom
import TestSupport
import Testing

@testable import Geodesy

/// Positions in the forms that people paste.
@Suite struct CoordinateTextTests {
  private static func parse(_ text: String) throws -> Coordinate { try Coordinate(text: text) }

  @Test(arguments: [
    "48.8 2.3", "48.8,2.3", "48.8, 2.3", " 48.8 ; 2.3 ", "48.8\t2.3", "\"48.8, 2.3\"",
    "(48.8, 2.3)",
    "[48.8,2.3]", "“48.8, 2.3”", "+48.8 +2.3", "48.8N 2.3E", "48.8n2.3e", "48.8 N, 2.3 E",
    "N48.8 E2.3", "N48.8E2.3", "N 48.8, E 2.3", "2.3E 48.8N", "E2.3 N48.8", "2.3 E, 48.8 N",
    "48.8° N, 2.3° E", "48.8°, 2.3°", "48.8º 2.3º", "48.8°N 2.3°E",
    "48.8N, 2.3", "48.8, 2.3E", "48,8 2,3", "48,8; 2,3", "48,8;2,3", "48,8, 2,3", "48,8N 2,3E",
    "48,8° 2,3°", "48°48' 2°18'", "48°48'0\" 2°18'0\"", "48°48′N 2°18′E",
    "48° 48' 0'' N 2° 18' 0'' E",
    "48°48’00”N, 2°18’00”E", "48d48m 2d18m", "48d48m0s 2d18m0s", "48d48m0sN 2d18m0sE",
    "48D48M0S 2D18M0S",
    "48 48 N 2 18 E", "48 48 0 N, 2 18 0 E", "48 48, 2 18", "48 48 0, 2 18 0",
    "48 deg 48 min, 2 deg 18 min",
    "lat 48.8 lon 2.3", "lat: 48.8, lon: 2.3", "lon=2.3, lat=48.8", "latitude 48.8 longitude 2.3",
    "48.8 North 2.3 East", "geo:48.8,2.3", "GEO:48.8,2.3,120;u=35", "geo:48.8,2.3;crs=WGS84;u=35",
    "geo:0,0?q=48.8,2.3(Home)", "geo:48.8,2.3?z=11",
    "geo:0,0?q=48.8%2C2.3", "geo:0,0?q=48.8%2c+2.3%28Home%29", "geo:48.8,2.3?q=Home",
    "geo:48.8,2.3;crs=", "geo:48.8,2.3;crs", "48,8; 2,3 E", "48,8 N, 2,3",
    "https://www.google.com/maps/@48.8,2.3,15z", "https://www.google.com/maps?q=48.8,2.3",
    "https://www.google.com/maps/search/?api=1&query=48.8%2C2.3",
    """
    https://www.google.com/maps/place/X/@48.1,2.1,17z/\
    data=!3m1!4b1!4m5!3m4!1s0x0:0x0!8m2!3d48.8!4d2.3
    """,
    "https://www.openstreetmap.org/#map=15/48.8/2.3",
    "https://yandex.com.tr/harita/11508/istanbul/?ll=2.300000%2C48.800000&z=16",
    "https://yandex.ru/maps/?ll=37.617700,55.755863&pt=2.3,48.8,pm2rdm~37.6,55.7&z=12",
    "https://yandex.ru/maps/213/moscow/?ll=1%2C2&whatshere%5Bpoint%5D=2.3%2C48.8",
    "https://www.openstreetmap.org/?mlat=48.8&mlon=2.3#map=15/1/2",
    "https://maps.apple.com/?ll=48.8,2.3&q=Home", "https://maps.apple.com/?q=Home&ll=48.8,2.3",
  ])
  func `every form of a position is parsed to the same coordinate`(text: String) throws {
    let coordinate = try Self.parse(text)
    #expect(coordinate.latitudeE7 == 488_000_000, "\(text)")
    #expect(coordinate.longitudeE7 == 23_000_000, "\(text)")
  }

  @Test(arguments: [
    ("-33.9 18.4", -33.9, 18.4), ("\u{2212}33.9 18.4", -33.9, 18.4), ("33.9S 18.4W", -33.9, -18.4),
    ("33.9s 18.4w", -33.9, -18.4), ("S33.9 W18.4", -33.9, -18.4), ("-0,5 -0,25", -0.5, -0.25),
    ("-33°30' 18°15'", -33.5, 18.25), ("33°30'S 18°15'W", -33.5, -18.25),
    ("33d30m0s S 18d15m0s E", -33.5, 18.25), ("33°30′0″S, 18°15′0″E", -33.5, 18.25),
    ("−33°30' −18°15'", -33.5, -18.25), ("48.8 \u{2212}2.3", 48.8, -2.3), ("90 180", 90, -180),
    ("-90,-180", -90, -180), ("18.4W 33.9S", -33.9, -18.4), ("-.5 -.25", -0.5, -0.25),
    ("0S 0W", 0, 0), ("33d30m0S 18d15m0E", -33.5, 18.25), ("-0°30'0\" 0°15'", -0.5, 0.25),
  ])
  func `signs and letters select the hemisphere`(text: String, latitude: Double, longitude: Double)
    throws
  {
    let coordinate = try Self.parse(text)
    #expect(abs(coordinate.latitudeDegrees - latitude) < 1e-7, "\(text)")
    #expect(abs(coordinate.longitudeDegrees - longitude) < 1e-7, "\(text)")
  }

  @Test(arguments: [
    "", " ", "north", "48.8", "48.8N", "1,2,3", "1 2 3", "nan,0", "inf,inf", "0x10 0x10", "1e400,0",
    "1.2.3,4", "48.8N 2.3N", "48.8E 2.3W", "-33.9S 18.4E", "48.8 N 2.3", "48°48 2.3 5",
    "48.5°30' 2.3",
    "48°30\"5' 2", "48.8 2.3 N E", "48,8,2,3", "a48.8 2.3", "48.8 2.3x", "48.8 / 2.3", "°48 2",
    "48°° 2°", "N E", "geo:", "geo:48.8", "geo:a,b", "https://example.com/",
    "https://example.com/?q=Paris",
    "48,2 16 E", "48,85 2 E", "N48,2 16", "48,2 16", "48,2 N", "N48,2", "48 51 N", "48°51N",
    "48°51", "N48 51", "5e1,48n", "48 51,2 17 40 E", "48°51,2°", "48°51, 2", "48,2°",
    "N 48.8 2.3", "48.8 2.3 E", "48.8° 2.3", ",48 51 N,",
    "48.8584 – 2.2945", "48.8584 - 2.2945", "48.8584 \u{2212} 2.2945", "48.8N - 2.3",
    "geo:0,0?q=Eiffel+Tower", "geo:0,0?q=", "geo:0.0,-0,5?z=3&q=Paris%2CFrance",
    "geo:48.8,2.3,abc", "geo:48.8,2.3,", "geo:48.8,2.3,1,2",
    "48 51, 2", "33d54m30s 18d25m26E", "--33 5", "48.8 2.3\u{1B}[31m", "48:51 2:17", "२ ३",
    String(repeating: "1 ", count: 3_000), String(repeating: "°", count: 100),
  ])
  func `text that is not a position, or could be two, is refused`(text: String) {
    #expect(throws: CoordinateTextError.self, "\(text)") { try Self.parse(text) }
  }

  @Test func `swapped axes are reported and never corrected silently`() {
    for text in [
      "121.5 25.03", "121.5,25.03", "121,5 25,03", "121°30' 25°1'48\"", "geo:121.5,25.03",
    ] {
      #expect(throws: CoordinateTextError.swapped(proposal: "25.03, 121.5", text: text)) {
        try Self.parse(text)
      }
    }
    #expect(throws: CoordinateTextError.latitudeOutOfRange(degrees: 121)) {
      try Self.parse("121 100")
    }
    #expect(throws: CoordinateTextError.latitudeOutOfRange(degrees: 91)) {
      try Self.parse("91N 2E")
    }
    #expect(throws: CoordinateTextError.longitudeOutOfRange(degrees: 181)) {
      try Self.parse("1 181")
    }
    #expect(throws: CoordinateTextError.sixtiethsOutOfRange(60)) { try Self.parse("48°60' 2°") }
    #expect(throws: CoordinateTextError.referenceSystem("nad27")) {
      try Self.parse("geo:48.8,2.3;crs=nad27")
    }
  }

  @Test(arguments: ["48,2 16 E", "48,2 16", "48,2 N", "48°51", "5e1,48n", "48°51,2°"])
  func `a text that could be two positions, or only a latitude, is ambiguous`(text: String) {
    #expect(throws: CoordinateTextError.ambiguous(text)) { try Self.parse(text) }
  }

  /// An algorithm whose time is quadratic in the number of brackets would take a minute.
  @Test func `any number of brackets is removed`() throws {
    let count = 60_000
    let text =
      String(repeating: "(", count: count) + "48.8 2.3" + String(repeating: ")", count: count)
    let found = try Self.parse(text)
    #expect(found.latitudeE7 == 488_000_000 && found.longitudeE7 == 23_000_000)
  }

  @Test func `an error quotes the text`() {
    #expect(
      CoordinateTextError.swapped(proposal: "25.03, 121.5", text: "121.5 25.03").description
        == "The latitude comes first and is between -90 and 90: did you mean 25.03, 121.5 "
        + "instead of 121.5 25.03?")
    #expect(CoordinateTextError.unreadable("Paris").description.hasPrefix("\"Paris\" is not"))
    #expect(
      CoordinateTextError.ambiguous("48,2 N").description
        .hasPrefix("\"48,2 N\" can be read in more than one way"))
    #expect(
      CoordinateTextError.unreadable(String(repeating: "x", count: 999)).description.count < 150)
  }

  /// Digits of a number below 60, in units of its last decimal place.
  private static func sixtieth(_ units: Int, _ digits: Int) -> String {
    let whole = "\(units / 1_000)"
    let fraction = String("\(1_000 + units % 1_000)".dropFirst())
    return digits == 0 ? whole : "\(whole).\(fraction)"
  }

  @Test(arguments: Seeds.sample(8))
  func `a position printed in any form is read back`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<400 {
      // Thousandths of a second of arc, so that every form is exact.
      let latitude = Int.random(in: -324_000_000...324_000_000, using: &random)
      let longitude = Int.random(in: -647_999_999...647_999_999, using: &random)
      let expected = try Coordinate(
        latitudeDegrees: Double(latitude) / 3_600_000,
        longitudeDegrees: Double(longitude) / 3_600_000)
      func parts(_ value: Int) -> (degrees: Int, minutes: Int, thousandths: Int) {
        let value = abs(value)
        return (value / 3_600_000, value / 60_000 % 60, value % 60_000)
      }
      let marks: [[String]] = [
        ["°", "'", "\""], ["º", "′", "″"], ["° ", "’ ", "”"], ["d", "m", "s"], [" ", " ", ""],
        [" deg ", " min ", " sec"], ["°", "'", "''"],
      ]
      for mark in marks {
        func angle(_ value: Int, _ letters: (String, String), prefix: Bool) -> String {
          let (degrees, minutes, thousandths) = parts(value)
          let text =
            "\(degrees)\(mark[0])\(minutes)\(mark[1])\(Self.sixtieth(thousandths, 3))\(mark[2])"
          let letter = value < 0 ? letters.1 : letters.0
          return prefix ? "\(letter) \(text)" : "\(text) \(letter)"
        }
        for prefix in [false, true] {
          let north = angle(latitude, ("N", "S"), prefix: prefix)
          let east = angle(longitude, ("E", "W"), prefix: prefix)
          for separator in [" ", ", ", ";"] {
            for text in ["\(north)\(separator)\(east)", "\(east)\(separator)\(north)"] {
              let found = try Self.parse(text)
              try #require(abs(Int(found.latitudeE7) - Int(expected.latitudeE7)) <= 1, "\(text)")
              try #require(abs(Int(found.longitudeE7) - Int(expected.longitudeE7)) <= 1, "\(text)")
            }
          }
        }
      }
      let exact = try #require(
        Coordinate(latitudeE7: expected.latitudeE7, longitudeE7: expected.longitudeE7))
      let (y, x) = (exact.latitudeDegrees, exact.longitudeDegrees)
      let plain = "\(y)".contains("e") || "\(x)".contains("e")
      var forms = ["\(y) \(x)", "\(y),\(x)", "(\(y), \(x))"]
      if !plain {
        let comma = "\(y) \(x)".map { $0 == "." ? "," : $0 }
        let minus = "\(y) \(x)".map { $0 == "-" ? "\u{2212}" : $0 }
        forms += [
          String(comma), String(minus), "geo:\(y),\(x);u=5", "\(y)° \(x)°", "lat=\(y) lng=\(x)",
          "https://www.openstreetmap.org/#map=9/\(y)/\(x)", "https://maps.google.com/@\(y),\(x),9z",
          "\(abs(y))\(y < 0 ? "S" : "N")\(abs(x))\(x < 0 ? "W" : "E")",
        ]
      }
      for form in forms { try #require(try Self.parse(form) == exact, "\(form)") }
    }
  }

  @Test(arguments: Seeds.sample(4))
  func `any text is parsed or refused, and never traps`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let letters = Array("0123456789.,;:+-−°'\"′″NSEWdms nsew \t/@!geo:?=#&%éλ\u{1B}")
    for _ in 0..<20_000 {
      let length = Int.random(in: 0...30, using: &random)
      let text = String(
        (0..<length).map { _ in letters[Int.random(in: 0..<letters.count, using: &random)] })
      guard let found = try? Self.parse(text) else { continue }
      #expect((-900_000_000...900_000_000).contains(found.latitudeE7))
    }
  }

  /// Replaces the commas between digits.
  private static func replacingCommas(_ text: String, with mark: String) -> String {
    let characters = Array(text)
    return characters.indices.map { at in
      let isBetween =
        characters[at] == "," && at > 0 && at + 1 < characters.count
        && characters[at - 1].isNumber && characters[at + 1].isNumber
      return isBetween ? mark : String(characters[at])
    }.joined()
  }

  @Test(arguments: Seeds.sample(4))
  func `a comma that could be a separator or a decimal comma is never interpreted silently`(
    seed: UInt64
  ) {
    var random = SplitMix64(seed: seed)
    let numbers = ["2", "16", "48", ".5"]
    let joints = [",", " ", ", ", ";", "°", "° ", "' ", "N", "E", " -", "e"]
    for _ in 0..<20_000 {
      var text = ["", "", "N", "-"].randomElement(using: &random) ?? ""
      for _ in 0..<Int.random(in: 2...4, using: &random) {
        text += numbers.randomElement(using: &random) ?? ""
        text += joints.randomElement(using: &random) ?? ""
      }
      guard let found = try? Self.parse(text) else { continue }
      for mark in [".", ", "] {
        guard let other = try? Self.parse(Self.replacingCommas(text, with: mark)) else { continue }
        #expect(found == other, "\(text)")
      }
    }
  }

  @Test(arguments: Seeds.sample(4))
  func `a position with decimal commas is parsed as intended or refused`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<4_000 {
      let hasMinutes = Bool.random(using: &random)
      func angle(_ limit: Int) -> (text: String, degrees: Double) {
        let degrees = Int.random(in: 1...limit, using: &random)
        let minutes = Int.random(in: 1...59, using: &random)
        let tenths = Int.random(in: 0...9, using: &random)
        let fraction = tenths == 0 ? "" : ",\(tenths)"
        let part = Double(tenths) / 10
        guard hasMinutes else { return ("\(degrees)\(fraction)", Double(degrees) + part) }
        let sixtieths = (Double(minutes) + part) / 60
        return ("\(degrees) \(minutes)\(fraction)", Double(degrees) + sixtieths)
      }
      let (latitude, longitude) = (angle(80), angle(170))
      let north = ["", "", " N", "N"].randomElement(using: &random) ?? ""
      let east = ["", "", " E", "E"].randomElement(using: &random) ?? ""
      for separator in [" ", ", ", "; "] {
        let text = latitude.text + north + separator + longitude.text + east
        guard let found = try? Self.parse(text) else {
          // With a semicolon or two letters the text is unambiguous.
          try #require(separator != "; " && (north.isEmpty || east.isEmpty), "\(text)")
          continue
        }
        try #require(abs(found.latitudeDegrees - latitude.degrees) < 1e-6, "\(text)")
        try #require(abs(found.longitudeDegrees - longitude.degrees) < 1e-6, "\(text)")
      }
      // A latitude alone is not a position.
      for letter in [" N", "N"] {
        let text = latitude.text + letter
        #expect(throws: CoordinateTextError.self, "\(text)") { try Self.parse(text) }
      }
    }
  }

  @Test(arguments: Seeds.sample(4))
  func `the fast path for plain positions agrees with the full parser`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<2_000 {
      let y = Double(Int.random(in: -100_000_000...100_000_000, using: &random)) / 1e6
      let x = Double(Int.random(in: -200_000_000...200_000_000, using: &random)) / 1e6
      let text = "\(y), \(x)"
      #expect(PlainPosition.coordinate(in: Array(text.utf8)[...]) == (try? Self.parse(text)))
    }
  }
}
