import Geodesy
import Testing

@testable import TrackIngest

/// The values of a point other than its position.
@Suite struct GPXFieldTests {
  private func fix(_ children: String, sourceLocation: SourceLocation = #_sourceLocation) throws
    -> Fix
  {
    let text = GPXRecorder.document(segment: "<trkpt lat=\"1\" lon=\"1\">\(children)</trkpt>")
    let found = expectSameInAnyPieces(Array(text.utf8), sourceLocation: sourceLocation)
    return try #require(found.fixes.first, sourceLocation: sourceLocation)
  }

  @Test(arguments: [
    ("<hdop>10</hdop>", 50.0), ("<hdop>1.5</hdop><vdop>9</vdop><pdop>8</pdop>", 7.5),
    ("<extensions><accuracy>12.5</accuracy></extensions>", 12.5),
    ("<extensions><a:b><a:hAcc>3</a:hAcc></a:b></extensions>", 3),
    ("<hdop>1</hdop><extensions><horizontalAccuracy>8</horizontalAccuracy></extensions>", 8),
    ("<extensions><o:accuracy_horizontal>4.1</o:accuracy_horizontal></extensions>", 4.1),
    ("<nmea:hacc xmlns:nmea='urn:n'>6</nmea:hacc>", 6),
    ("<accuracy>6</accuracy><accuracy>7</accuracy>", 6),
    ("<extensions><accuracy>-1</accuracy></extensions>", -1),
    ("<extensions><accuracy>inf</accuracy></extensions>", .infinity),
  ])
  func `accuracy is the stated meters, else five times HDOP`(children: String, meters: Double)
    throws
  {
    #expect(try fix(children).horizontalAccuracyMeters == meters)
  }

  @Test(arguments: [
    "", "<hdop>0</hdop>", "<hdop>-1</hdop>", "<hdop>NaN</hdop>", "<hdop/>", "<hdop>x</hdop>",
    "<vdop>2</vdop>",
    "<extensions><accuracy>NaN</accuracy></extensions>", "<extensions><hdop>2</hdop></extensions>",
    "<extensions><accuracy><v>2</v></accuracy></extensions>",
    "<extensions><vacc>2</vacc></extensions>",
  ])
  func `an accuracy that is not stated is unknown`(children: String) throws {
    #expect(try fix(children).horizontalAccuracyMeters == nil)
  }

  @Test func `elevation and speed are read if they are numbers`() throws {
    #expect(try fix("<ele>-12.5</ele><speed>3.25</speed>").elevationMeters == -12.5)
    #expect(try fix("<ele>-12.5</ele><speed>3.25</speed>").speedMetersPerSecond == 3.25)
    #expect(try fix("<extensions><g:speed>4</g:speed></extensions>").speedMetersPerSecond == 4)
    #expect(try fix("<ele>\n 5 </ele>").elevationMeters == 5)
    #expect(try fix("<ele>12,5</ele>").elevationMeters == 12.5)
    for nothing in [
      "<ele></ele>", "<ele/>", "<ele>NaN</ele>", "<ele>abc</ele>", "<ele>inf</ele>",
      "<ele>1e999</ele>",
    ] {
      #expect(try fix(nothing).elevationMeters == nil)
    }
    #expect(try fix("<ele>1e3</ele>").elevationMeters == 1000)
  }

  @Test func `the first time directly in the point counts`() throws {
    let first = Timestamp(millisecondsSince1970: 1_714_557_600_000)
    #expect(
      try fix("<time>2024-05-01T10:00:00Z</time><time>2025-05-01T10:00:00Z</time>").time == first)
    #expect(try fix("<extensions><time>2024-05-01T10:00:00Z</time></extensions>").time == nil)
    #expect(try fix("<link href='x'><time>2024-05-01T10:00:00Z</time></link>").time == nil)
    #expect(try fix("<time></time>").time == nil)
  }

  @Test(
    arguments: [
      ("1969-12-31T23:59:59Z", nil, IngestWarning.Code?.some(.impossibleTime)),
      ("1970-01-01T00:00:00Z", 0, nil),
      ("2026-01-02T00:00:00Z", 1_767_312_000_000, nil),
      ("2026-01-02T00:00:01Z", nil, .impossibleTime),
      ("7519-04-30T22:23:24Z", nil, .impossibleTime),
      ("12024-05-01T10:00:00Z", nil, .impossibleTime),
      ("nan", nil, .impossibleTime), ("2024-05-01", 1_714_521_600_000, .repaired),
    ] as [(String, Int64?, IngestWarning.Code?)])
  func `impossible times leave the point undated`(
    text: String, milliseconds: Int64?, code: IngestWarning.Code?
  ) {
    let found = GPXRecorder(segment: "<trkpt lat='1' lon='1'><time>\(text)</time></trkpt>")
    #expect(found.times == [milliseconds])
    #expect(found.warnings.map(\.code) == (code.map { [$0] } ?? []))
  }

  @Test func `points with decreasing times are kept in order, with a warning`() {
    func point(_ second: Int) -> String {
      "<trkpt lat='1' lon='1'><time>2024-05-01T10:00:0\(second)Z</time></trkpt>\n"
    }
    let found = expectSameInAnyPieces(
      Array(
        GPXRecorder.document(
          segment: point(5) + point(3) + point(4) + "</trkseg><trkseg>" + point(1)
        ).utf8))
    #expect(found.times.map { ($0 ?? 0) % 10_000 } == [5000, 3000, 4000, 1000])
    // The first point of a new segment has no previous time.
    #expect(
      found.warnings == [
        IngestWarning(
          code: .timeBackwards, line: 4,
          message: "A time is earlier than the one before it; the order of the file was kept."
        )
      ])
  }

  @Test func `a point with the value none in its fix element is kept`() throws {
    #expect(try fix("<fix>none</fix>").coordinate.latitudeE7 == 10_000_000)
  }
}
