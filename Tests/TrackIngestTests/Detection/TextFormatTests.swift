import Testing

@testable import TrackIngest

/// Detection of tables and of flight records.
@Suite struct TextFormatTests {
  private func kind(_ bytes: some Sequence<UInt8>) -> ContentKind {
    Array(bytes).withUnsafeBytes { ContentKind(prefix: $0) }
  }

  private static let tables = [
    "time,latitude,longitude,accuracy\n2024-05-01T10:00:00Z,48.1,8.2,5\n",
    "\"Lat\";\"Lon\"\r\n1;2",
    "id\ttimestamp\tlocation-long\tlocation-lat\n1\t2024-05-01\t8.2\t48.1\n",
    "Speed (km/h) mean,Latitude (deg),Longitude (deg)\n5,48.1,8.2\n",
    "name,lat,lon\n\"Lake \"\"A\"\", north\",48.1,8.2\n", "lat;lng\n48,1;-8,2\n",
    "INDEX,LATITUDE N/S,LONGITUDE E/W\n1,48.856330N,002.297668E,\n",
    // The first row has no position; the header ends with a separator.
    "time,lat,lon,note\n1,,,\n\n2,48.1,8.2,\n", "lat,lon,\n48.1,8.2\n",
    "id,timestamp,geom\n1,2025-06-01 13:02:03,POINT (10.7 53.8)\n",
    "Zeit;Breitengrad;Längengrad\n2024-05-01T10:00:00Z;48,1;8,2\n",
    "sep=;\r\nlat;lon\r\n48,1;8,2\r\n", "\"sep=;\"\nlat, degrees;lon, degrees\n48,1;8,2\n",
    // The quotation marks of the first rows are not closed.
    "note,lat,lon\n\"a,48.1,8.2\nb\",48.1,\"8.2\nc,48.1,8.2\n",
  ]

  private static let flights = [
    "AXXX123\r\nHFDTE010524\r\nB1", "AXXXABC\nHFDTEDATE:010524,01\n", "A0A1\nHODTE010524\n",
    "AXXXABC\r\nB1000004806000N01130000EA0051000520\r\n",
    "HFDTE010524\nB1000004806000N01130000EA0051000520\n",
    "B1000004806000N01130000EA0051000520\r\n",
  ]

  @Test(arguments: tables)
  func `a table of positions is detected by the names and values of its columns`(text: String) {
    #expect(kind(text.utf8) == .track(.csv))
    #expect(kind(Array("\u{FEFF}".utf8) + text.utf8) == .track(.csv))
  }

  @Test(arguments: flights)
  func `a flight is detected by its recorder, date or fix`(text: String) {
    #expect(kind(text.utf8) == .track(.igc))
    #expect(kind(Array("\u{FEFF}\r\n".utf8) + text.utf8) == .track(.igc))
  }

  @Test(arguments: [
    "AXXX123\nno date\n", "A note\nHFDTE010524\n", "HFDTM100\n", "B100000\n", "Bell\nHFDTE",
    "B1000009906000N01130000EA0051000520\n",
  ])
  func `other text is no flight`(text: String) { #expect(kind(text.utf8) == .unknown) }

  @Test func `text truncated anywhere never traps and is not detected as another format`() {
    for (format, texts) in [(SourceFormat.csv, Self.tables), (.igc, Self.flights)] {
      for text in texts {
        let bytes = Array(text.utf8)
        for length in 0...bytes.count {
          switch kind(bytes.prefix(length)) {
          case .track(let found): #expect(found == format, "\(text) at \(length)")
          case .unsupported(let found): Issue.record("\(found): \(text) at \(length)")
          default: break
          }
        }
      }
    }
  }
}
