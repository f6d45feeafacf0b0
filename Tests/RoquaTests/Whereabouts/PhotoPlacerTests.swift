import GeoStore
import Geocode
import Geodesy
import TestSupport
import Testing

@testable import Roqua

/// When and where photos were taken.
@Suite struct PhotoPlacerTests {
  /// A walk of two hours in Munich, with a fix every half minute, that never passes a place twice.
  private static let start: Int64 = 1_714_557_600_000
  private static func position(at time: Int64) -> Coordinate {
    let hours = Double(time - start) / 3_600_000
    return Coordinate(48.13 + 0.04 * hours + 0.004 * hours * hours, 11.55 + 0.05 * hours)
  }

  private let whereabouts: Whereabouts
  private let geocoder: Geocoder

  init() throws {
    geocoder = try Geocoder.bundled
    whereabouts = Whereabouts(
      (0...240).map { index in
        let time = Self.start + Int64(index) * 30_000
        return DatedFix(
          time: time, order: Int64(index), coordinate: Self.position(at: time), source: 0,
          segment: 0, accuracyCentimeters: 500, endsFlightLeg: false)
      }, rules: WhereaboutsRules())
  }

  private func photo(
    _ minutes: Double, offset: Int64, camera: String? = nil, hasPosition: Bool = false
  ) -> PhotoFacts {
    let time = Self.start + Int64(minutes * 60_000)
    var facts = PhotoFacts(path: "\(minutes).jpg")
    facts.camera = camera
    facts.clockTime = PhotoFacts.ClockTime(local: time + offset)
    if hasPosition { facts.position = Self.position(at: time) }
    return facts
  }

  private func proposals(_ photos: [PhotoFacts], offset: ClockOffset? = nil) -> [PhotoProposal] {
    var placer = PhotoPlacer(whereabouts, geocoder: geocoder, statedOffset: offset)
    return placer.proposals(for: photos)
  }

  @Test(arguments: Seeds.sample(20))
  func `a camera's clock is worked out from photos with a position`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let offset = Int64.random(in: -13 * 3_600...13 * 3_600, using: &random) * 1_000
    let known = (0..<Int.random(in: 2...150, using: &random)).map { _ in
      photo(
        .random(in: 5...115, using: &random), offset: offset, camera: "A", hasPosition: true)
    }
    let asked = photo(60, offset: offset, camera: "A")
    let found = try #require(proposals(known + [asked]).last)
    #expect(found.clock == .camera)
    let seconds = abs((found.offset?.milliseconds ?? .max) - offset) / 1_000
    #expect(seconds <= 5)
    let meters = found.estimate?.coordinate.distanceMeters(
      to: Self.position(at: Self.start + 3_600_000))
    #expect(try #require(meters) < 30)
  }

  @Test func `a photo of another camera does not use that clock`() throws {
    let known = (1...9).map {
      photo(Double($0) * 10, offset: -3_600_000, camera: "A", hasPosition: true)
    }
    let other = try #require(
      proposals(known + [photo(60, offset: 7_200_000, camera: "B")]).last)
    #expect(other.clock == .place && other.offset?.milliseconds == 7_200_000)
    #expect(other.time?.millisecondsSince1970 == Self.start + 3_600_000)
  }

  @Test func `photos that lie nowhere near the track show no clock`() throws {
    var known = (1...9).map {
      photo(Double($0) * 10, offset: 0, camera: "A", hasPosition: true)
    }
    for index in known.indices { known[index].position = Coordinate(-33, Double(index)) }
    let found = try #require(proposals(known + [photo(60, offset: 7_200_000, camera: "A")]).last)
    #expect(found.clock == .place)
  }

  @Test func `positions that were added later show no clock`() throws {
    var photos = (1...9).map {
      photo(Double($0) * 10, offset: -3_600_000, camera: "A", hasPosition: true)
    }
    photos.append(photo(60, offset: -3_600_000, camera: "A"))
    #expect(proposals(photos).last?.clock == .camera)
    for index in photos.indices.dropLast() { photos[index].isPositionMeasured = false }
    #expect(proposals(photos).last?.clock == .place)
  }

  @Test(
    arguments: [
      (["EXIF:GPSProcessingMethod": "GPS"], "Composite", true), ([:], "Composite", true),
      (["EXIF:GPSProcessingMethod": "MANUAL"], "Composite", false), ([:], "XMP", true),
      (["XMP:GPSProcessingMethod": "MANUAL"], "XMP", false),
      (["XMP:GPSProcessingMethod": "MANUAL"], "Composite", true),
      (["XMP:XMPToolkit": "Roqua"], "XMP", false),
      (["XMP:XMPToolkit": "Image::ExifTool 12.57"], "XMP", true),
    ] as [([String: String], String, Bool)])
  func `tags say whether a position was measured`(
    tags: [String: String], group: String, isMeasured: Bool
  ) {
    let position = ["\(group):GPSLatitude": "48.5", "\(group):GPSLongitude": "7.75"]
    let facts = PhotoTags(tags.merging(position) { $1 }).facts(path: "a.jpg")
    #expect(facts.position == Coordinate(48.5, 7.75) && facts.isPositionMeasured == isMeasured)
    for name in tags.keys {
      #expect(PhotoTags.names.contains { name.hasSuffix(":\($0)") }, "\(name) is read")
    }
  }

  @Test func `while the person stays, the clocks of the place count`() throws {
    let stay = Coordinate(48.13, 11.55)
    let still = Whereabouts(
      [Self.start, Self.start + 20 * 3_600_000].enumerated().map { index, time in
        DatedFix(
          time: time, order: Int64(index), coordinate: stay, source: 0, segment: 0,
          accuracyCentimeters: 500, endsFlightLeg: false)
      }, rules: WhereaboutsRules())
    var placer = PhotoPlacer(still, geocoder: geocoder)
    var known = photo(600, offset: 7_200_000, camera: "A")
    known.position = stay
    let found = placer.proposals(for: [known, photo(610, offset: 7_200_000, camera: "A")])
    #expect(found[1].clock == .camera && found[1].offset?.milliseconds == 7_200_000)
  }

  @Test func `the first rule that applies gives the time`() throws {
    var facts = photo(60, offset: 0, camera: "A")
    let local = try #require(facts.clockTime?.local)
    func found(offset: ClockOffset? = nil) throws -> PhotoProposal {
      try #require(proposals([facts], offset: offset).first)
    }
    #expect(try found().clock == .place)
    let stated = ClockOffset(milliseconds: -5_025_000)
    #expect(try found(offset: stated).clock == .option)
    #expect(try found(offset: stated).time?.millisecondsSince1970 == local + 5_025_000)
    facts.videoTime = Timestamp(millisecondsSince1970: local + 1)
    #expect(try found(offset: stated).clock == .video)
    facts.gpsTime = Timestamp(millisecondsSince1970: local + 2)
    #expect(try found(offset: stated).clock == .gps)
    facts.clockTime?.offset = 3_600_000
    #expect(try found(offset: stated).clock == .file)
    #expect(try found().time?.millisecondsSince1970 == local - 3_600_000)
  }

  @Test func `a camera with photos that have the time by GPS has their offset`() throws {
    var known = photo(10, offset: 12_345_000, camera: "A")
    known.gpsTime = Timestamp(millisecondsSince1970: Self.start + 600_000)
    let found = proposals([known, photo(60, offset: 12_345_000, camera: "A")])
    #expect(found[1].clock == .camera && found[1].offset?.milliseconds == 12_345_000)
  }

  @Test func `local times are those of the place across a change of clocks`() {
    // 31 March 2024: clocks in Munich were moved from 02:00 to 03:00, at 01:00 UTC.
    let change: Int64 = 1_711_846_800_000
    let fixes = [change - 7_200_000, change + 7_200_000].enumerated().map { index, time in
      DatedFix(
        time: time, order: Int64(index), coordinate: Coordinate(48.13, 11.55), source: 0,
        segment: 0, accuracyCentimeters: 500, endsFlightLeg: false)
    }
    var clock = PlaceClock(
      Whereabouts(fixes, rules: WhereaboutsRules()), geocoder: geocoder)
    for minutes in stride(from: Int64(-110), through: 110, by: 5) {
      let time = change + minutes * 60_000
      let local = time + (minutes < 0 ? 3_600_000 : 7_200_000)
      #expect(clock.moment(atLocal: local)?.time.millisecondsSince1970 == time, "\(minutes)")
    }
    #expect(clock.moment(atLocal: 0) == nil)
  }

  /// Somebody who stays in a place.
  private func clock(
    in coordinate: Coordinate, from start: Int64, through end: Int64
  ) -> PlaceClock {
    let fixes = [start, end].enumerated().map { index, time in
      DatedFix(
        time: time, order: Int64(index), coordinate: coordinate, source: 0, segment: 0,
        accuracyCentimeters: 500, endsFlightLeg: false)
    }
    return PlaceClock(Whereabouts(fixes, rules: WhereaboutsRules()), geocoder: geocoder)
  }

  /// Changes of clocks in 2024, with the offsets before and after in minutes.
  private static let changes: [(Coordinate, Int64, Int64, Int64)] = [
    (Coordinate(48.13, 11.55), 1_711_846_800_000, 60, 120),  // Munich
    (Coordinate(48.13, 11.55), 1_729_990_800_000, 120, 60),
    (Coordinate(40.75, -73.98), 1_710_054_000_000, -300, -240),  // New York
    (Coordinate(40.75, -73.98), 1_730_613_600_000, -240, -300),
    (Coordinate(-31.55, 159.08), 1_712_415_600_000, 660, 630),  // Lord Howe Island
    (Coordinate(-31.55, 159.08), 1_728_142_200_000, 630, 660),
  ]

  @Test(arguments: changes)
  func `a repeated local time is its first moment and names the second, a skipped one says so`(
    coordinate: Coordinate, change: Int64, before: Int64, after: Int64
  ) throws {
    var clock = clock(in: coordinate, from: change - 172_800_000, through: change + 172_800_000)
    for minutes in stride(from: Int64(-200), through: 200, by: 5) {
      let local = change + (before + minutes) * 60_000
      // Each offset that a clock shows at the moment that it gives.
      let moments = [(before, true), (after, false)].compactMap { offset, isBefore in
        let time = local - offset * 60_000
        return (time < change) == isBefore ? time : nil
      }
      let moment = clock.moment(atLocal: local)
      let found = try #require(moment)
      let first = moments.min() ?? local - before * 60_000
      #expect(found.time.millisecondsSince1970 == first, "\(minutes)")
      #expect(found.offset == local - first)
      #expect(
        found.other?.millisecondsSince1970 == (moments.count == 2 ? moments.max() : nil),
        "\(minutes)")
      #expect(found.isSkipped == moments.isEmpty, "\(minutes)")
    }
  }

  @Test func `a local time near the first and the last fix has its one moment`() throws {
    let start: Int64 = 1_714_557_600_000
    for (place, hours) in [(Coordinate(40.75, -73.98), -4), (Coordinate(35.68, 139.76), 9)] {
      var clock = clock(in: place, from: start, through: start + 60_000)
      let offset = Int64(hours) * 3_600_000
      for time in [start - 86_400_000, start, start + 86_460_000] {
        let moment = clock.moment(atLocal: time + offset)
        let found = try #require(moment)
        #expect(found.time.millisecondsSince1970 == time && found.offset == offset)
        #expect(found.other == nil && !found.isSkipped)
      }
    }
  }

  @Test func `a flight westward repeats local times`() throws {
    // From Munich (UTC+2) to New York (UTC-4): there from 12:00 UTC on.
    let noon: Int64 = 1_714_564_800_000
    let places = [Coordinate(48.13, 11.55), Coordinate(40.75, -73.98)]
    let fixes = [(-36, 0), (-1, 0), (1, 1), (36, 1)].enumerated().map { index, fix in
      DatedFix(
        time: noon + Int64(fix.0) * 3_600_000, order: Int64(index), coordinate: places[fix.1],
        source: 0, segment: 0, accuracyCentimeters: 500, endsFlightLeg: false)
    }
    var clock = PlaceClock(
      Whereabouts(fixes, rules: WhereaboutsRules()), geocoder: geocoder)
    let moment = clock.moment(atLocal: noon - 3_600_000)
    let found = try #require(moment)
    #expect(found.time.millisecondsSince1970 == noon - 3 * 3_600_000)
    #expect(found.other?.millisecondsSince1970 == noon + 3 * 3_600_000)
  }

  /// Positions of one track at minutes after a time.
  private func clock(_ fixes: [(minutes: Int64, place: Coordinate)], after start: Int64)
    -> PlaceClock
  {
    let fixes = fixes.enumerated().map { index, fix in
      DatedFix(
        time: start + fix.minutes * 60_000, order: Int64(index), coordinate: fix.place, source: 0,
        segment: 0, accuracyCentimeters: 500, endsFlightLeg: false)
    }
    return PlaceClock(Whereabouts(fixes, rules: WhereaboutsRules()), geocoder: geocoder)
  }

  @Test func `a trip over the border and back repeats local times`() throws {
    // 08:40 UTC: from Badajoz (UTC+2) to Elvas (UTC+1) within an hour, and back by 12:00 UTC.
    let start: Int64 = 1_718_008_800_000
    let (badajoz, elvas) = (Coordinate(38.878, -6.97), Coordinate(38.881, -7.16))
    var clock = clock([(0, badajoz), (60, elvas), (200, badajoz)], after: start)
    let moment = clock.moment(atLocal: start + 2 * 3_600_000)
    let found = try #require(moment)
    #expect(found.time.millisecondsSince1970 == start)
    #expect(found.other?.millisecondsSince1970 == start + 3_600_000)
  }

  @Test(arguments: Seeds.sample(20))
  func `a local time has every moment at which the clock there shows it`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let places = [
      Coordinate(38.878, -6.97), Coordinate(38.881, -7.16), Coordinate(36.0, -5.6),
      Coordinate(27.7, 85.3),
    ]
    let start: Int64 = 1_718_008_800_000
    var fixes: [(minutes: Int64, place: Coordinate)] = []
    var minutes: Int64 = 0
    for _ in 0..<12 {
      fixes.append((minutes, places.randomElement(using: &random) ?? places[0]))
      minutes += 15 * Int64.random(in: 1...12, using: &random)
    }
    var clock = clock(fixes, after: start)
    let whereabouts = Whereabouts(
      fixes.enumerated().map { index, fix in
        DatedFix(
          time: start + fix.minutes * 60_000, order: Int64(index), coordinate: fix.place,
          source: 0, segment: 0, accuracyCentimeters: 500, endsFlightLeg: false)
      }, rules: WhereaboutsRules())
    for minute in stride(from: Int64(0), through: minutes + 600, by: 15) {
      let local = start + minute * 60_000
      let moments = (-14 * 60...14 * 60).compactMap { difference -> Int64? in
        let time = Timestamp(millisecondsSince1970: local - Int64(difference) * 60_000)
        guard let place = whereabouts.position(at: time)?.coordinate,
          clock.offset(at: time, in: place) == Int64(difference) * 60_000
        else { return nil }
        return time.millisecondsSince1970
      }
      let found = clock.moment(atLocal: local)
      guard let first = moments.min(), let last = moments.max() else {
        #expect(found?.isSkipped ?? true)
        continue
      }
      #expect(found?.time.millisecondsSince1970 == first)
      #expect(found?.other?.millisecondsSince1970 == (first == last ? nil : last))
    }
  }

  @Test(arguments: [
    ("+02:00", 7_200), ("-1:23:45", -5_025), ("+0530", 19_800), ("2", 7_200), ("Z", 0),
    (" -3", -10_800), ("17520:00", 63_072_000),
  ])
  func `an offset is read`(text: String, seconds: Int64) {
    #expect(ClockOffset(text)?.milliseconds == seconds * 1_000)
  }

  @Test(arguments: ["", "+", "2h", "1:2", "1:60", "1:00:60", "1:00:00:00", "--1", "99999", "+٢"])
  func `anything else is no offset`(text: String) { #expect(ClockOffset(text) == nil) }

  @Test func `the tags of exiftool say when and where a photo was taken`() {
    func facts(_ tags: [String: String]) -> PhotoFacts { PhotoTags(tags).facts(path: "a") }
    let plain = facts([
      "EXIF:DateTimeOriginal": "2024:05:01 12:00:00", "EXIF:SubSecTimeOriginal": "25",
      "EXIF:OffsetTimeOriginal": "+02:00", "EXIF:Make": "Acme", "EXIF:Model": "Z1 ",
      "EXIF:SerialNumber": "77", "Composite:GPSLatitude": "-33.5", "Composite:GPSLongitude": "18",
    ])
    #expect(plain.clockTime == .init(local: Self.start + 7_200_250, offset: 7_200_000))
    #expect(plain.camera == "Acme Z1 77" && plain.position == Coordinate(-33.5, 18))
    let video = facts([
      "File:MIMEType": "video/mp4", "QuickTime:CreateDate": "2024:05:01 10:00:00",
      "XMP:GPSLatitude": "0", "XMP:GPSLongitude": "0",
    ])
    #expect(video.videoTime?.millisecondsSince1970 == Self.start && video.position == nil)
    #expect(facts(["QuickTime:CreateDate": "2024:05:01 10:00:00"]).videoTime == nil)
    let phone = facts([
      "File:MIMEType": "video/quicktime", "QuickTime:CreationDate": "2024:05:01 12:00:00+02:00",
      "QuickTime:CreateDate": "0000:00:00 00:00:00",
    ])
    #expect(phone.clockTime == .init(local: Self.start + 7_200_000, offset: 7_200_000))
    let empty = facts(["EXIF:DateTimeOriginal": "    :  :     :  :  "])
    #expect(empty == PhotoFacts(path: "a"))
    let gps = facts(["Composite:GPSDateTime": "2024:05:01 10:00:00.5Z"])
    #expect(gps.gpsTime?.millisecondsSince1970 == Self.start + 500)
  }
}
