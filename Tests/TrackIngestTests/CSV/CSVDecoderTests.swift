import Geodesy
import TestSupport
import Testing

@testable import TrackIngest

/// Tables: names of columns, separators, coordinates, broken rows.
@Suite struct CSVDecoderTests {
  private var decoder: CSVDecoder { CSVDecoder(now: readingTime) }

  private func decode(_ text: String) -> TrackRecorder {
    TrackRecorder(Array(text.utf8), with: decoder)
  }

  @Test func `a row has time, position, accuracy, height and speed`() {
    let read = decode(
      "time,lat,lon,ele,accuracy,speed (km/h)\n2024-05-01T10:00:00Z,48.1,-11.5,520.5,8,36\n")
    #expect(
      read.positions == [
        Fix(
          coordinate: Coordinate(48.1, -11.5), time: Timestamp(iso8601: "2024-05-01T10:00:00Z"),
          horizontalAccuracyMeters: 8, elevationMeters: 520.5, speedMetersPerSecond: 10)
      ])
    #expect(read.lines == [2])
    #expect((read.tracks, read.segments) == (1, 1))
    #expect(read.warnings.isEmpty)
  }

  @Test(arguments: [
    "lat,lon\n48.1,11.5\n", "LATITUDE;LONGITUDE\r\n48.1;11.5\r\n", "Lat\tLng\r48.1\t11.5\r",
    "lon|lat\n11.5|48.1\n", "Latitude (deg),Longitude (deg)\n48.1,11.5\n",
    "location-long,location-lat\n11.5,48.1\n", "lat;lng\n48,1;11,5\n",
    "lat,lon\n\"48,1\",\"11,5\"\n",
    "\"lat\",\"lon\"\n\"48.1\",\"11.5\"\n", "id,latitudeE7,longitudeE7\n1,481000000,115000000\n",
    "Breitengrad;Längengrad\n48,1;11,5\n", "latitud,longitud\n48.1,11.5\n", "纬度,经度\n48.1,11.5\n",
    "LATITUDE,N/S,LONGITUDE,E/W\n48.1,N,11.5,E\n", "LATITUDE N/S,LONGITUDE E/W\n48.1N,011.5E\n",
    "lat,lon\n48.1°,11.5° E\n", "id,geom\n1,POINT (11.5 48.1)\n",
    "id,wkt\n1,\"SRID=4326;Point Z(11.5 48.1 520)\"\n", "#lat,lon\n48.1,11.5\n",
    "lat,lon,\n48.1,11.5,\n", "\n\nlat,lon\n\n48.1,11.5\n\n", "lat,lon\n48.1,11.5",
    "sep=;\r\nlat;lon\r\n48,1;11,5\r\n", "SEP=|\nlat|lon\n48.1|11.5\n",
    "\"sep=,\",\nlat,lon\n48.1,11.5\n", "sep=;\n\nlat, degrees;lon, degrees\n48,1;11,5\n",
    "lat,lon\n4.81e1,+11.5\n", "note,lat,lon\n\"a, \"\"b\"\"\nc\",48.1,11.5\n",
  ])
  func `columns are found by name, and coordinates in every form`(text: String) {
    let read = expectSame(Array(text.utf8), inAnyPiecesWith: decoder)
    #expect(read.positions.map(\.coordinate) == [Coordinate(48.1, 11.5)])
    #expect(read.warnings.isEmpty)
    #expect(read.error == nil)
    let marked = TrackRecorder(Array("\u{FEFF}\(text)".utf8), with: decoder)
    #expect(marked.positions == read.positions)
  }

  /// As many as a row may have. Takes seconds if the time grows with the square of their number.
  @Test func `thousands of blanks around the names of columns are ignored`() {
    let blanks = String(repeating: " ", count: 3_200)
    let read = decode("\(blanks)lat\(blanks),\(blanks)lon (\(blanks)deg)\(blanks)\n48.1,11.5\n")
    #expect(read.positions.map(\.coordinate) == [Coordinate(48.1, 11.5)])
  }

  @Test func `letters of the south and west are negative`() {
    for text in [
      "lat,n/s,lon,e/w\n48.1,S,11.5,W\n", "lat,lon\n48.1S,11.5W\n", "lat,lon\n48.1 s,11.5 w\n",
    ] {
      #expect(decode(text).positions.map(\.coordinate) == [Coordinate(-48.1, -11.5)], "\(text)")
    }
    #expect(decode("lat,n/s,lon,e/w\n48.1,x,11.5,W\n").skips == [.invalidCoordinate])
  }

  @Test(arguments: ["-33.45S,-70.6W", "-33.45,70.6 W", "33.45°S,-70.6° W", "33.45 S,-70.6"])
  func `a negative number with a letter of the south or west is there`(row: String) {
    let read = decode("lat,lon\n\(row)\n")
    #expect(read.positions.map(\.coordinate) == [Coordinate(-33.45, -70.6)])
    let columns = decode("lat,n/s,lon,e/w\n-33.8,S,-70.6,W\n33.8S,S,70.6,W\n")
    #expect(
      columns.positions.map(\.coordinate) == [Coordinate(-33.8, -70.6), Coordinate(-33.8, -70.6)])
    let units = decode("latitudeE7,n/s,longitudeE7,e/w\n-338000000,S,-706000000,W\n")
    #expect(units.positions.map(\.coordinate) == [Coordinate(-33.8, -70.6)])
  }

  @Test(arguments: [
    "-33.8,N,70.6,E", "-33.8 N,,70.6,", "33.8,N,-70.6,E", "33.8,,-70.6E,", "33.8N,S,70.6,E",
    "33.8S,N,70.6,E", "33.8,N,70.6W,E",
  ])
  func `a sign and letters that contradict each other are no coordinate`(row: String) {
    let read = decode("lat,n/s,lon,e/w\n\(row)\n")
    #expect(read.positions.isEmpty)
    #expect(read.skips == [.invalidCoordinate])
    #expect(read.codes.first == .unreadable)
  }

  @Test func `UTF-16 with tabs is read`() {
    let text = "lat\tlon\r\n48.1\t11.5\r\n"
    let bytes: [UInt8] = [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    #expect(
      expectSame(bytes, inAnyPiecesWith: decoder).positions.map(\.coordinate)
        == [Coordinate(48.1, 11.5)])
  }

  @Test(arguments: [
    "NaN,11.5", "95,11.5", "48.1,181", "north,11.5", "48.1,", ",11.5", "48.1", "48.1,11.5,7",
    "48,1,11,5",
    "48.1E,11.5", "1 2,3", "0x1,2",
  ])
  func `a broken row is skipped with a warning and its line`(row: String) {
    let read = decode("lat,lon\n48.1,11.5\n\(row)\n48.2,11.6\n")
    #expect(read.positions.count == 2)
    #expect(read.skips == [.invalidCoordinate])
    #expect(read.codes == [.unreadable])
    #expect(read.warnings.first?.line == 3)
  }

  @Test func `places without a column of times are waypoints`() {
    let read = decode("name,lat,lon\nhome,48.1,11.5\nwork,48.2,11.6\n")
    #expect(read.fixes.isEmpty && read.positions.count == 2)
    #expect(read.tracks == 0 && read.warnings.isEmpty)
    #expect(decode("time,lat,lon\n,48.1,11.5\n").fixes.count == 1)
  }

  @Test func `a row without both coordinates says nothing about a position`() {
    let read = decode("time,type,lat,lon\n1,pause,,\n2,point,48.1,11.5\n,,,\n")
    #expect(read.positions.count == 1)
    #expect(read.skips == [.noFix, .noFix])
  }

  @Test func `accuracy, height and speed have units and unknown values`() {
    let read = decode(
      """
      lat;lon;horizontal_accuracy;vertical_accuracy;HDOP;altitude (ft);speed;speed_accuracy
      1;2;8;3;2;100;36 km/h;1
      1;2;0;3;2;100 m;5;1
      1;2;-1;3;;;x;1
      1;2;;;0;1000 ft;2 m/s;
      1;2;inf;;;nan;;\n
      """)
    #expect(read.positions.map(\.horizontalAccuracyMeters) == [8, 10, -1, nil, .infinity])
    #expect(
      read.positions.map { $0.elevationMeters.map { ($0 * 10).rounded() } } == [
        305, 1000, nil, 3048, nil,
      ])
    #expect(read.positions.map(\.speedMetersPerSecond) == [10, nil, nil, 2, nil])
  }

  @Test func `a gap begins a segment, another person or device a track`() {
    let read = decode(
      """
      user_id,time,lat,lon
      1,2024-05-01T10:00:00Z,1,1
      1,2024-05-01T10:05:00Z,1,1
      1,2024-05-01T10:10:01Z,1,1
      2,2024-05-01T09:00:00Z,1,1

      """)
    #expect((read.tracks, read.segments) == (2, 3))
    #expect(read.warnings.isEmpty)
    let back = decode("time,lat,lon\n2024-05-01T10:00:01Z,1,1\n2024-05-01T10:00:00Z,1,1\n")
    #expect(back.codes == [.timeBackwards])
    #expect(back.warnings.first?.line == 3)
  }

  @Test func `a row that is too long is skipped, also after an unmatched quotation mark`() {
    let long = String(repeating: "x", count: CSVLimits.rowBytes)
    for row in ["1,2,\(long)", "1,2,\"\(long)"] {
      let read = expectSame(
        Array("lat,lon,time\n1,2,1714557600\n\(row)\n3,4,1714557660\n".utf8),
        inAnyPiecesWith: decoder)
      #expect(read.positions.count == 2)
      #expect(read.lines == [2, 4])
      #expect(read.codes == [.unreadable])
    }
  }

  @Test func `a table truncated at any byte gives exactly the complete rows before the cut`() {
    for header in ["time,lat,lon\n", "lat,lon,time\n"] {
      var text = header
      for index in 0..<5 {
        let (time, place) = ("2024-05-01T10:00:0\(index)Z", "48.12345\(index),11.54321\(index)")
        text += header.hasPrefix("time") ? "\(time),\(place)\n" : "\(place),\(time)\n"
      }
      let bytes = Array(text.utf8)
      let all = TrackRecorder(bytes, with: decoder).positions.map(\.coordinate)
      #expect(all.count == 5)
      // The first row has none before it to compare with.
      for length in (header.utf8.count + 45)...bytes.count {
        let read = TrackRecorder(Array(bytes.prefix(length)), with: decoder)
        let found = read.positions.map(\.coordinate)
        #expect(found == Array(all.prefix(found.count)), "cut at \(length)")
      }
      let cut = TrackRecorder(Array(bytes.dropLast(30)), with: decoder)
      #expect(cut.codes == [.truncated])
    }
    // The row lacks columns, so it is certainly cut.
    #expect(decode("lat,lon,time\n48.1,11.5\n48.1,11.").positions.count == 1)
  }

  @Test(arguments: Seeds.sample(100))
  func `a damaged table gives the same result in pieces of any size`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var bytes = Array("time,lat,lon,note\r\n".utf8)
    for index in 0..<6 { bytes += Array("2024-05-01 10:00:0\(index),1.\(index),2,\"a\"\r\n".utf8) }
    for _ in 0..<Int.random(in: 0...5, using: &random) {
      let place = Int.random(in: bytes.indices, using: &random)
      bytes[place] = Array("\r\n\0\",;9. \u{FF}".utf8).randomElement(using: &random) ?? 0
    }
    expectSame(bytes, inAnyPiecesWith: decoder)
  }

  @Test(arguments: [
    ("", IngestError.Code.empty), (" \r\n", .empty), ("a,b\n1,2\n", .unknownFormat),
    ("48.1,11.5\n", .unknownFormat), ("lat/lon\n1\n", .unknownFormat), ("lat\n1\n", .unknownFormat),
  ])
  func `other text is refused`(text: String, code: IngestError.Code) {
    let read = decode(text)
    #expect(read.error?.code == code)
    #expect(read.events.isEmpty)
  }

  @Test func `a table without positions says so`() {
    #expect(decode("lat,lon\n").codes == [.leftOut])
  }
}
