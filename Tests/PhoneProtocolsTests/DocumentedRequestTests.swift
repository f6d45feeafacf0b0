import Geodesy
import PhoneProtocols
import Testing
import TrackIngest

/// Requests as the documentation of each app shows them.
@Suite struct DocumentedRequestTests {
  static let now = Timestamp(millisecondsSince1970: 1_800_000_000_000)

  private func read(
    _ app: PhoneApp, query: String = "", body: String = "", type: String? = nil
  ) throws -> PhoneReading {
    let message = PhoneMessage(
      query: FormFields(Array(query.utf8)), contentType: type, body: Array(body.utf8))
    return try app.read(message, now: Self.now)
  }

  private func fix(
    _ latitude: Double, _ longitude: Double, _ time: String?, accuracy: Double? = nil,
    elevation: Double? = nil, speed: Double? = nil
  ) throws -> Fix {
    Fix(
      coordinate: try Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude),
      time: time.flatMap(Timestamp.init(iso8601:)), horizontalAccuracyMeters: accuracy,
      elevationMeters: elevation, speedMetersPerSecond: speed)
  }

  @Test func `OwnTracks: a location`() throws {
    let reading = try read(
      .owntracks,
      body: """
        {"_type":"location","tid":"iP","tst":1714032000,"lat":42.7551,"lon":-1.6402,"alt":430,
        "vel":36,"cog":85,"acc":8,"batt":72,"conn":"w"}
        """, type: "application/json")
    let expected = try fix(
      42.7551, -1.6402, "2024-04-25T08:00:00Z", accuracy: 8, elevation: 430, speed: 10)
    #expect(reading.fixes == [expected])
    #expect(PhoneApp.owntracks.answer.body == "[]")
  }

  @Test func `OwnTracks: what is not a location is accepted and ignored`() throws {
    for type in ["transition", "waypoint", "waypoints", "lwt", "status", "card", "steps"] {
      let reading = try read(
        .owntracks, body: "{\"_type\":\"\(type)\",\"tst\":1,\"lat\":1,\"lon\":2}")
      #expect(reading.fixes.isEmpty && reading.otherMessages == 1 && reading.skipped == 0)
    }
    #expect(try read(.owntracks, body: "").otherMessages == 1)
  }

  @Test func `OwnTracks: an array of messages that waited`() throws {
    let reading = try read(
      .owntracks,
      body: """
        [{"_type":"location","tst":1714032000,"lat":1,"lon":2},{"_type":"lwt","tst":1714032001},
        {"_type":"location","tst":1714032002,"lat":91,"lon":2},
        {"_type":"location","tst":1714032003,"lat":"1.5","lon":"2.5"}]
        """)
    #expect(reading.fixes.map(\.coordinate.latitudeE7) == [10_000_000, 15_000_000])
    #expect(reading.skipped == 1 && reading.otherMessages == 1)
  }

  @Test func `OwnTracks: an encrypted message is refused`() throws {
    #expect(throws: MessageError.self) {
      try read(.owntracks, body: "{\"_type\":\"encrypted\",\"data\":\"x\"}")
    }
  }

  @Test func `Overland: a batch`() throws {
    let reading = try read(
      .overland,
      body: """
        {"locations":[{"type":"Feature","geometry":{"type":"Point",
        "coordinates":[-122.030581,37.331800]},"properties":{"timestamp":"2015-10-01T08:00:00-0700",
        "altitude":0,"speed":4,"horizontal_accuracy":30,"vertical_accuracy":-1,
        "motion":["driving","stationary"],"pauses":false,"activity":"other_navigation",
        "battery_state":"charging","battery_level":0.89,"device_id":"","wifi":""}},
        {"type":"Feature","geometry":{"type":"Point","coordinates":[-122.03,37.33]},
        "properties":{"timestamp":"2015-10-01T15:00:05Z","speed":-1,"horizontal_accuracy":-1}},
        {"type":"Feature","geometry":null,"properties":{"action":"terminated"}}],
        "current":{},"trip":{"distance":12}}
        """, type: "application/json")
    let expected = [
      try fix(37.3318, -122.030581, "2015-10-01T15:00:00Z", accuracy: 30, elevation: 0, speed: 4),
      try fix(37.33, -122.03, "2015-10-01T15:00:05Z", accuracy: -1),
    ]
    #expect(reading.fixes == expected)
    #expect(reading.otherMessages == 1 && reading.skipped == 0)
    #expect(PhoneApp.overland.answer.body == "{\"result\":\"ok\"}")
  }

  @Test func `Overland: a message without locations is refused`() {
    #expect(throws: MessageError.self) { try read(.overland, body: "{\"current\":{}}") }
    #expect(throws: MessageError.self) { try read(.overland, body: "") }
  }

  @Test(arguments: [
    ("id=12345&lat=48.8566&lon=2.3522&timestamp=1609459200000", "2021-01-01T00:00:00Z"),
    ("id=12345&lat=48.8566&lon=2.3522&timestamp=1609459200", "2021-01-01T00:00:00Z"),
    (
      "deviceid=12345&lat=48.8566&lon=2.3522&timestamp=2021-01-01T00:00:00Z", "2021-01-01T00:00:00Z"
    ),
    ("id=1&lat=48.8566&lon=2.3522&timestamp=2021-01-01%2000:00:00", "2021-01-01T00:00:00Z"),
    ("id=1&location=48.8566,2.3522&timestamp=1609459200", "2021-01-01T00:00:00Z"),
    ("id=1&lat=48.8566&lon=2.3522", ""),
  ]) func `Traccar Client: a query`(query: String, time: String) throws {
    let expected = try fix(48.8566, 2.3522, time.isEmpty ? nil : time)
    #expect(try read(.traccar, query: query).fixes == [expected])
    #expect(
      try read(.traccar, body: query, type: "application/x-www-form-urlencoded").fixes
        == [expected])
  }

  @Test func `Traccar Client: a speed in fields is in knots, in JSON in meters per second`() throws
  {
    let reading = try read(
      .traccar,
      query: "deviceid=1&lat=48.8566&lon=2.3522&timestamp=2021-01-01T00:00:00Z&speed=36&bearing=270"
        + "&altitude=35&accuracy=10&hdop=0.8&batt=75")
    let found = try #require(reading.fixes.first)
    #expect(abs((found.speedMetersPerSecond ?? 0) - 18.52) < 1e-9)
    #expect(found.horizontalAccuracyMeters == 10 && found.elevationMeters == 35)
    let json = try read(
      .traccar,
      body: """
        {"location":{"timestamp":"2000-01-01T00:00:00.250Z","coords":{"latitude":1.5,
        "longitude":-2.5,"accuracy":4,"speed":3,"heading":0,"altitude":7},"is_moving":false,
        "odometer":0,"event":"motionchange","battery":{"level":1,"is_charging":false},
        "activity":{"type":"still"},"extras":{}},"device_id":"48241179"}
        """, type: "application/json; charset=utf-8")
    let expected = try fix(
      1.5, -2.5, "2000-01-01T00:00:00.250Z", accuracy: 4, elevation: 7, speed: 3)
    #expect(json.fixes == [expected])
  }

  @Test func `OsmAnd: HDOP is a ratio of 5 m, and a speed in meters per second`() throws {
    let reading = try read(
      .osmand,
      query:
        "lat=41.0082&lon=28.9784&timestamp=1714032000000&hdop=2&altitude=12.5&speed=1.5&bearing=3"
    )
    let expected = try fix(
      41.0082, 28.9784, "2024-04-25T08:00:00Z", accuracy: 10, elevation: 12.5, speed: 1.5)
    #expect(reading.fixes == [expected])
  }

  @Test func `a position that the app calls invalid is skipped`() throws {
    let reading = try read(.traccar, query: "id=1&lat=1&lon=2&valid=false")
    #expect(reading.fixes.isEmpty && reading.skipped == 1)
  }

  @Test func `fields without a position are a message only with a device`() throws {
    #expect(try read(.traccar, query: "id=1&batt=5").otherMessages == 1)
    #expect(throws: MessageError.self) { try read(.osmand, query: "hello=1") }
    #expect(throws: MessageError.self) { try read(.gpslogger) }
  }

  @Test func `GPSLogger: its default URL, %ALL and a body of JSON`() throws {
    let expected = try fix(41.74108695983887, -91.84490871429443, "2024-05-01T10:00:00.123Z")
    let first = try read(
      .gpslogger,
      query:
        "lat=41.74108695983887&longitude=-91.84490871429443&time=2024-05-01T10:00:00.123Z&s=0.0")
    #expect(first.fixes.map(\.coordinate) == [expected.coordinate])
    #expect(first.fixes.first?.time == expected.time)
    let all = try read(
      .gpslogger,
      body: "lat=41.74108695983887&lon=-91.84490871429443&sat=0&desc=&alt=1387.0&acc=6.0&dir=170.8"
        + "&prov=gps&spd_kph=3.6&spd=1.0&timestamp=1714557600"
        + "&timeoffset=2024-05-01T12:00:00.123%2B02:00"
        + "&time=2024-05-01T10:00:00.123Z&starttimestamp=1714550000&date=2024-05-01&batt=51.0"
        + "&ischarging=false&aid=x&ser=y&act=&filename=20240501&profile=Default+Profile&hdop=0.7"
        + "&vdop=1&pdop=2&dist=5", type: "application/x-www-form-urlencoded")
    let found = try #require(all.fixes.first)
    #expect(found.coordinate == expected.coordinate && found.time == expected.time)
    #expect(found.horizontalAccuracyMeters == 6 && found.elevationMeters == 1_387)
    #expect(found.speedMetersPerSecond == 1)
    let json = try read(
      .gpslogger,
      body: "{\"time\": 1714557600, \"latitude\": 41.5, \"longitude\": -91.5, \"accuracy\": 6}",
      type: "application/json")
    #expect(json.fixes == [try fix(41.5, -91.5, "2024-05-01T10:00:00Z", accuracy: 6)])
  }

  @Test(arguments: [
    ("nan", "2"), ("1e999", "2"), ("90.0000001", "2"), ("-91", "0"), ("1", "180.0000001"),
    ("1", "-1e400"), ("0x10", "2"), ("1", ""), ("1_0", "1"), ("--1", "1"),
  ]) func `an impossible coordinate is skipped`(latitude: String, longitude: String) throws {
    let reading = try read(.osmand, query: "lat=\(latitude)&lon=\(longitude)&timestamp=1714032000")
    #expect(reading.fixes.isEmpty && reading.skipped == 1)
  }

  @Test(arguments: [
    "-5", "99999999999999999999", "1e300", "nan", "1900-01-01T00:00:00Z", "2999", "0",
  ])
  func `an impossible time is no time`(time: String) throws {
    let reading = try read(.osmand, query: "lat=1&lon=2&timestamp=\(time)")
    #expect(reading.fixes == [try fix(1, 2, nil)])
  }

  @Test(arguments: ["inf", "0", "-3", "1e22"])
  func `any stated accuracy is left to the filter`(accuracy: String) throws {
    let stated = try #require(
      try read(.osmand, query: "lat=1&lon=2&accuracy=\(accuracy)").fixes.first)
    #expect(stated.horizontalAccuracyMeters == Double(accuracy))
  }

  @Test func `a message and a file with the same digits give the same coordinate`() throws {
    // Half a unit of 1e-7: only exact decimal arithmetic rounds it like the decoders of files.
    let reading = try read(.osmand, query: "lat=0.00000005&lon=8.12345675")
    #expect(reading.fixes.first?.coordinate.latitudeE7 == 1)
    #expect(reading.fixes.first?.coordinate.longitudeE7 == 81_234_568)
  }
}
