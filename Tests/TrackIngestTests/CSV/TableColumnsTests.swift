import Geodesy
import TestSupport
import Testing

@testable import TrackIngest

/// Tables whose columns the user states.
@Suite struct TableColumnsTests {
  private static let time = Timestamp(iso8601: "2024-05-01T10:00:00Z")

  private func decode(_ text: String, _ columns: TableColumns) -> TrackRecorder {
    expectSame(Array(text.utf8), inAnyPiecesWith: CSVDecoder(now: readingTime, columns: columns))
  }

  @Test(arguments: [
    // Without a row of names, separated in every way.
    "2024-05-01T10:00:00Z,a,48.1,11.5,8\n", "2024-05-01T10:00:00Z;a;48,1;11,5;8\n",
    "2024-05-01T10:00:00Z\ta\t48.1\t11.5\t8", "1714557600|a|48.1|11.5|8\n",
    // With names that say nothing, or something else.
    "when,what,y,x,q\n2024-05-01T10:00:00Z,a,48.1,11.5,8\n",
    "y, north;a;b;c;d\n2024-05-01T10:00:00Z;a;48,1;11,5;8\n",
    "lat,lon,time,date,hdop\n2024-05-01T10:00:00Z,a,48.1,11.5,8\n",
  ])
  func `columns are stated by number`(text: String) {
    let read = decode(
      text,
      TableColumns(
        latitude: .number(3), longitude: .number(4), time: .number(1), accuracy: .number(5)))
    #expect(
      read.positions == [
        Fix(coordinate: Coordinate(48.1, 11.5), time: Self.time, horizontalAccuracyMeters: 8)
      ])
    #expect(read.error == nil)
    #expect(read.warnings.isEmpty)
  }

  @Test func `columns are stated by name, in any case, and the others are found`() {
    let read = decode(
      "y;x;Zeitpunkt;accuracy\n48,1;11,5;2024-05-01T10:00:00Z;8\n",
      TableColumns(latitude: .name("Y"), longitude: .name(" x"), time: .name("zeitpunkt")))
    #expect(
      read.positions == [
        Fix(coordinate: Coordinate(48.1, 11.5), time: Self.time, horizontalAccuracyMeters: 8)
      ])
  }

  @Test func `a stated column goes before one that is found by its name`() {
    let text = "lat,lon,lat2,lon2,time\n1,2,48.1,11.5,1714557600\n"
    let read = decode(text, TableColumns(latitude: .name("lat2"), longitude: .name("lon2")))
    #expect(read.positions.map(\.coordinate) == [Coordinate(48.1, 11.5)])
    #expect(decode(text, TableColumns()).positions.map(\.coordinate) == [Coordinate(1, 2)])
  }

  @Test func `whole units are read if the name says so`() {
    let read = decode(
      "yE7,xE7,t\n481000000,115000000,1714557600\n",
      TableColumns(latitude: .number(1), longitude: .number(2), time: .name("t")))
    #expect(read.positions.map(\.coordinate) == [Coordinate(48.1, 11.5)])
  }

  @Test(arguments: [
    (TableColumns(latitude: .name("y"), longitude: .name("none")), "no column named none."),
    (TableColumns(latitude: .number(1), longitude: .number(9)), "only 3 columns."),
    (
      TableColumns(time: .number(1)),
      "no columns of latitude and longitude; both must be stated or named."
    ),
  ])
  func `a table without a stated column is refused, by its name`(
    columns: TableColumns, lack: String
  ) {
    let read = decode("y,x,time\n48.1,11.5,1714557600\n", columns)
    #expect(read.error?.code == .unknownFormat)
    #expect(read.error?.message == "Its first row has \(lack)")
    #expect(read.positions.isEmpty)
  }

  @Test func `only text of no other format is read as a table`() throws {
    let columns = TableColumns(latitude: .number(2), longitude: .number(3), time: .number(1))
    func report(_ text: String, _ columns: TableColumns?) -> TrackReport {
      var reader = TrackReader(columns: columns, now: readingTime)
      Array(text.utf8).withUnsafeBytes { reader.read($0) }
      return reader.finish()
    }
    let table = "1714557600,48.1,11.5\n1714557660,48.2,11.5\n"
    #expect(report(table, nil).error?.code == .unknownFormat)
    #expect(report(table, columns).format == .csv)
    #expect(report(table, columns).points == 2)
    let gpx = "<gpx><trk><trkseg><trkpt lat='1' lon='2'/></trkseg></trk></gpx>"
    #expect(report(gpx, columns).format == .gpx)
    #expect(report("a\u{0}b,48.1,11.5\n", columns).error?.code == .unknownFormat)
    #expect(report("words, and more words\n", columns).error?.code == .unknownFormat)
  }
}
