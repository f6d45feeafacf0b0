import Foundation
import Geodesy
import TestSupport
import Testing

@testable import TrackIngest

/// 2026-01-01T00:00:00Z, the current time of these tests.
private let now = Timestamp(millisecondsSince1970: 1_767_225_600_000)

/// The messages of a stream in pieces of a size.
private func messages(_ bytes: [UInt8], pieces size: Int = .max) -> [GPSDMessage] {
  var decoder = GPSDDecoder(now: now)
  var messages: [GPSDMessage] = []
  var start = 0
  while start < bytes.count {
    let end = min(bytes.count, start + min(size, bytes.count))
    // A copy with an exact end, so that a sanitizer reveals a read past the piece.
    Array(bytes[start..<end]).withUnsafeBytes { decoder.decode($0) { messages.append($0) } }
    start = end
  }
  return messages
}

private func messages(_ lines: String...) -> [GPSDMessage] {
  messages(Array((lines.joined(separator: "\r\n") + "\r\n").utf8))
}

private func report(_ members: String) throws -> GPSDReport {
  let all = messages(#"{"class":"TPV",\#(members)}"#)
  guard case .report(let report) = all.first, all.count == 1 else {
    throw GPSDError(members: members)
  }
  return report
}

private struct GPSDError: Error { let members: String }

@Suite struct GPSDDecoderTests {
  @Test func `each message of gpsd is read`() throws {
    let all = messages(
      #"{"class":"VERSION","release":"3.25","rev":"3.25","proto_major":3,"proto_minor":15}"#,
      #"""
      {"class":"DEVICES",\#
      "devices":[{"class":"DEVICE","path":"/dev/ttyUSB0","bps":4800},{"path":"/dev/b"}]}
      """#,
      #"{"class":"WATCH","enable":true,"json":true,"nmea":false,"raw":0}"#,
      #"{"class":"DEVICE","path":"/dev/ttyUSB0","activated":0}"#,
      #"{"class":"DEVICE","path":"/dev/ttyUSB0","activated":"2026-01-01T00:00:00.000Z"}"#,
      #"""
      {"class":"SKY","device":"/dev/ttyUSB0","hdop":1.4,"nSat":14,"uSat":9,\#
      "satellites":[{"PRN":1,"used":true}]}
      """#,
      #"""
      {"class":"GST","device":"/dev/ttyUSB0","time":"2025-06-01T12:00:00.000Z",\#
      "lat":3.0,"lon":4.0,"alt":9}
      """#,
      #"{"class":"ERROR","message":"Unrecognized request 'X'"}"#,
      #"{"class":"PPS","real_sec":1}"#, #"{"hello":1}"#)
    #expect(
      all == [
        .version(release: "3.25", protocolMajor: 3), .devices(["/dev/ttyUSB0", "/dev/b"]),
        .watch(isEnabled: true), .device(path: "/dev/ttyUSB0", isActive: false),
        .device(path: "/dev/ttyUSB0", isActive: true), .sky(used: 9, seen: 14),
        .deviation(
          GPSDDeviation(device: "/dev/ttyUSB0", time: 1_748_779_200_000, meters: 5)),
        .error("Unrecognized request 'X'"), .other, .other,
      ])
  }

  @Test func `a position report gives a fix with height above sea and the 68 % radius`() throws {
    let report = try report(
      #"""
      "device":"/dev/a","mode":3,"time":"2025-06-01T12:00:00.250Z",\#
      "lat":35.662695167,"lon":-139.700639833,"altHAE":71.7,"altMSL":35.25,"alt":99,\#
      "geoidSep":36.7,"eph":26.6,"epx":1,"epy":1,"speed":1.389
      """#)
    #expect(report.device == "/dev/a" && report.hasFix)
    let fix = try #require(report.fix)
    #expect(fix.coordinate == Coordinate(latitudeE7: 356_626_952, longitudeE7: -1_397_006_398))
    #expect(fix.time == Timestamp(millisecondsSince1970: 1_748_779_200_250))
    #expect(fix.elevationMeters == 35.25 && fix.speedMetersPerSecond == 1.389)
    let accuracy = try #require(fix.horizontalAccuracyMeters)
    #expect(abs(accuracy - 16.405) < 0.001)
  }

  @Test(arguments: [
    (#""altHAE":71.7,"geoidSep":36.5,"alt":1"#, 35.2), (#""alt":12.5"#, 12.5),
    (#""altHAE":71.7"#, nil), (#""altMSL":"NaN""#, nil),
  ])
  func `the height is above sea, or unknown`(members: String, expected: Double?) throws {
    let fix = try report(#""mode":3,"lat":1,"lon":2,\#(members)"#).fix
    let height = fix?.elevationMeters
    #expect(fix != nil && (height.map { ($0 * 10).rounded() / 10 }) == expected)
  }

  @Test(arguments: [
    #""mode":0,"lat":1,"lon":2"#, #""mode":1,"lat":1,"lon":2"#, #""lat":1,"lon":2"#,
    #""mode":3,"status":8,"lat":1,"lon":2"#, #""mode":4,"lat":1,"lon":2"#,
    #""mode":"3","lat":1,"lon":2"#,
  ])
  func `a report without a fix says so`(members: String) throws {
    let report = try report(members)
    #expect(!report.hasFix && report.fix == nil)
  }

  @Test(arguments: [
    #""mode":3"#, #""mode":3,"lat":1"#, #""mode":3,"lat":91,"lon":2"#,
    #""mode":3,"lat":1,"lon":180.1"#, #""mode":3,"lat":NaN,"lon":2"#,
    #""mode":3,"lat":1,"lat":1,"lon":2"#, #""mode":3,"lat":[1],"lon":2"#,
  ])
  func `a report whose position is missing or impossible has no fix`(members: String) throws {
    #expect(try report(members).fix == nil)
  }

  @Test func `two thirds of normal errors lie within the converted radius`() {
    var random = SplitMix64(seed: 7)
    // Box-Muller: pairs of independent normal errors of one standard deviation.
    let errors = (0..<200_000).map { _ -> (Double, Double) in
      let radius = (-2 * log(Double.random(in: .leastNonzeroMagnitude...1, using: &random)))
        .squareRoot()
      let angle = Double.random(in: 0..<(2 * .pi), using: &random)
      return (radius * cos(angle), radius * sin(angle))
    }
    let distances = errors.map { ($0.0 * $0.0 + $0.1 * $0.1).squareRoot() }.sorted()
    let radiusOf95 = distances[Int(Double(distances.count) * 0.95)]
    let axisOf95 = errors.map { abs($0.0) }.sorted()[Int(Double(errors.count) * 0.95)]
    for radius in [
      GPSDAccuracy.meters(eph: radiusOf95), GPSDAccuracy.meters(epx: axisOf95, epy: axisOf95),
    ] {
      let share = Double(distances.count { $0 <= radius }) / Double(distances.count)
      #expect(abs(share - 0.68) < 0.01, "\(radius)")
    }
  }

  /// A stream with good, broken and foreign lines.
  private static let stream =
    #"{"class":"VERSION","release":"3.25","proto_major":3}"# + "\r\n"
    + "$GPGGA,232000.00,3539.56928,N,13942.03025,E,1,09,1.0,35.0,M,36.7,M,,*56\r\n"
    + #"{"class":"TPV","mode":3,"lat":1.5,"lon":2.5,"eph":3e1}"# + "\r\n"
    + #"{"class":"TPV","mode":3,"lat":1.5,"#
    + "\n" + #"  {"class":"ERROR","message":"a\u0042\n"}"# + "\n\n"
    + #"{"class":"TPV","mode":3,"lat":1.5,"lon":2.5"# + "\n"
    + #"{"class":"SKY","uSat":4,"nSat":5}"# + "\n"

  @Test func `pieces of any size give the same messages, and a broken line spoils no other`() {
    let bytes = Array(Self.stream.utf8)
    let whole = messages(bytes)
    #expect(whole.count == 4)
    #expect(whole.last == .sky(used: 4, seen: 5) && whole[2] == .error("aB\n"))
    for size in 1...40 { #expect(messages(bytes, pieces: size) == whole, "\(size)") }
  }

  @Test func `a stream that is cut at any byte has only messages of the whole`() {
    let bytes = Array(Self.stream.utf8)
    let whole = messages(bytes)
    for end in bytes.indices {
      let cut = messages(Array(bytes[..<end]))
      #expect(cut == Array(whole.prefix(cut.count)))
      let lines = bytes[..<end].count { $0 == 0x0A }
      #expect(cut.count <= lines)
    }
  }

  @Test func `long, deep and binary lines are ignored, and the next line is read`() {
    let last = #"{"class":"SKY","uSat":4}"#
    let hostile = [
      #"{"class":"TPV","mode":3,"lat":1,"lon":2,"x":""# + String(repeating: "y", count: 70_000)
        + "\"}",
      String(repeating: #"{"devices":["#, count: 5_000), String(repeating: "[", count: 60_000),
      #"{"class":"#, "{", "}", "{}}}", "\u{0}{\"class\":\"SKY\"}", "{\u{0}\u{1}\u{FF}",
      #"{"class":"TPV""class":"TPV"}"#, "{\"class\":\"TPV\",\"lat\":\"\\ud800\"}",
      #"{"class":"TPV","mode":99999999999999999999,"lat":1e400,"lon":-1e400}"#,
      #"{"class":"SKY","uSat":-1,"nSat":1e300}"#,
    ]
    for line in hostile {
      let all = messages(line, last)
      #expect(all.last == .sky(used: 4, seen: nil), "\(line.prefix(40))")
      for case .report(let report) in all { #expect(report.fix == nil) }
    }
  }

  @Test(arguments: Seeds.sample(50))
  func `random reports give what Foundation reads in them`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    for _ in 0..<20 {
      var members: [String: Any] = ["class": "TPV", "mode": Int.random(in: 0...4, using: &random)]
      func maybe(_ name: String, _ range: ClosedRange<Double>) {
        guard Bool.random(using: &random) || name == "lat" || name == "lon" else { return }
        members[name] = (Double.random(in: range, using: &random) * 1e6).rounded() / 1e6
      }
      for (name, range) in [
        ("lat", -99.0...99.0), ("lon", -190...190), ("altMSL", -100...9_000), ("eph", 0...100),
        ("speed", 0...100), ("track", 0...360), ("climb", -5...5),
      ] { maybe(name, range) }
      let line = try JSONSerialization.data(withJSONObject: members)
      let all = messages(Array(line) + [0x0A])
      guard case .report(let report) = all.first else {
        Issue.record("no report in \(String(decoding: line, as: UTF8.self))")
        continue
      }
      let read = try #require(
        JSONSerialization.jsonObject(with: line) as? [String: Any])
      let mode = try #require(read["mode"] as? Int)
      #expect(report.hasFix == (2...3).contains(mode))
      let latitude = try #require(read["lat"] as? Double)
      let longitude = try #require(read["lon"] as? Double)
      guard report.hasFix, abs(latitude) <= 90, abs(longitude) <= 180 else {
        #expect(report.fix == nil)
        continue
      }
      let fix = try #require(report.fix)
      #expect(abs(fix.coordinate.latitudeDegrees - latitude) < 1e-7)
      #expect(abs(fix.coordinate.longitudeDegrees - longitude) < 1e-7)
      #expect(fix.speedMetersPerSecond == read["speed"] as? Double)
      #expect(fix.elevationMeters == (mode == 3 ? read["altMSL"] as? Double : nil))
      let radius = (read["eph"] as? Double).map { $0 * 0.616_727 }
      #expect((fix.horizontalAccuracyMeters == nil) == (radius == nil))
      #expect(abs((fix.horizontalAccuracyMeters ?? 0) - (radius ?? 0)) < 0.001)
    }
  }
}

@Suite struct GPSDFixesTests {
  private func report(
    _ device: String?, seconds: Double, latitude: Double = 1, hasFix: Bool = true
  ) throws -> GPSDReport {
    let coordinate = try Coordinate(latitudeDegrees: latitude, longitudeDegrees: 2)
    let time = Timestamp(millisecondsSince1970: 1_748_779_200_000 + Int64(seconds * 1_000))
    return GPSDReport(
      device: device, hasFix: hasFix,
      fix: hasFix ? Fix(coordinate: coordinate, time: time, horizontalAccuracyMeters: 9) : nil)
  }

  @Test func `the first device with a fix is used until it has had none for ten seconds`() throws {
    var fixes = GPSDFixes()
    #expect(fixes.take(try report("b", seconds: 0, hasFix: false)) == .noFix)
    #expect(isFix(fixes.take(try report("a", seconds: 1))))
    #expect(fixes.take(try report("b", seconds: 1, latitude: 5)) == .nothing)
    #expect(fixes.take(try report("b", seconds: 1, hasFix: false)) == .nothing)
    #expect(isFix(fixes.take(try report("a", seconds: 2))))
    #expect(fixes.take(try report("a", seconds: 3, hasFix: false)) == .noFix)
    #expect(fixes.take(try report("b", seconds: 12, latitude: 5)) == .nothing)
    #expect(isFix(fixes.take(try report("b", seconds: 12.1, latitude: 5))))
    #expect(fixes.take(try report("a", seconds: 13)) == .nothing)
  }

  @Test func `only the chosen device is used`() throws {
    var fixes = GPSDFixes(device: "b")
    #expect(fixes.take(try report("a", seconds: 1)) == .nothing)
    #expect(isFix(fixes.take(try report("b", seconds: 1))))
    #expect(fixes.take(try report("a", seconds: 100)) == .nothing)
  }

  @Test func `a fix with an impossible time has none, and is reported once`() throws {
    func report(_ device: String, _ time: String) -> GPSDReport? {
      // 2025-06-01T12:00:00Z
      var decoder = GPSDDecoder(now: Timestamp(millisecondsSince1970: 1_748_779_200_000))
      var found: GPSDReport?
      let text =
        #"{"class":"TPV","device":"\#(device)","mode":2,"time":"\#(time)","lat":1,"lon":2}"# + "\n"
      Array(text.utf8).withUnsafeBytes { bytes in
        decoder.decode(bytes) { if case .report(let report) = $0 { found = report } }
      }
      return found
    }
    var fixes = GPSDFixes()
    let future = try #require(report("a", "2025-06-04T12:00:00Z"))
    guard case .fix(let fix) = fixes.take(future) else {
      Issue.record("the fix was ignored")
      return
    }
    #expect(fix.time == nil && fix.coordinate == Coordinate(1, 2))
    #expect(fixes.take(future) == .nothing)
    #expect(isFix(fixes.take(try #require(report("a", "2025-06-04T12:00:01Z")))))
    let right = fixes.take(try #require(report("b", "2025-06-01T12:00:00Z")))
    #expect(isFix(right), "a device whose clock is right is used instead")
    #expect(fixes.take(try #require(report("a", "2025-06-04T12:00:02Z"))) == .nothing)
  }

  @Test func `fixes with times that cannot be read are reported, of one device`() {
    func report(_ device: String) -> GPSDReport {
      GPSDReport(
        device: device, hasFix: true,
        fix: Fix(coordinate: Coordinate(1, 2), time: nil, horizontalAccuracyMeters: 9),
        hasImpossibleTime: true)
    }
    var fixes = GPSDFixes()
    #expect(isFix(fixes.take(report("a"))))
    #expect(isFix(fixes.take(report("a"))))
    #expect(fixes.take(report("b")) == .nothing)
  }

  @Test func `a moment is reported once, and a fix without a time not at all`() throws {
    var fixes = GPSDFixes()
    var undated = try report("a", seconds: 0)
    undated.fix?.time = nil
    #expect(fixes.take(undated) == .nothing)
    #expect(isFix(fixes.take(try report("a", seconds: 1))))
    #expect(fixes.take(try report("a", seconds: 1, latitude: 1.1)) == .nothing)
    // The clock of a receiver may be set back.
    #expect(isFix(fixes.take(try report("a", seconds: 0))))
  }

  @Test(arguments: [(0.0, 5.0), (2.0, 5.0), (2.1, 9.0), (-1.0, 9.0)])
  func `standard deviations of the last two seconds give the accuracy`(
    age: Double, expected: Double
  ) throws {
    var fixes = GPSDFixes()
    let time = 1_748_779_200_000 + Int64((10 - age) * 1_000)
    fixes.take(GPSDDeviation(device: "a", time: time, meters: 5))
    fixes.take(GPSDDeviation(device: "a", time: nil, meters: 1))
    #expect(accuracy(fixes.take(try report("a", seconds: 10))) == expected)
    #expect(accuracy(fixes.take(try report("b", seconds: 30))) == 9)
  }

  private func accuracy(_ outcome: GPSDFixes.Outcome) -> Double? {
    if case .fix(let fix) = outcome { fix.horizontalAccuracyMeters } else { nil }
  }

  private func isFix(_ outcome: GPSDFixes.Outcome) -> Bool {
    if case .fix = outcome { true } else { false }
  }
}
