import Testing

@testable import TrackIngest

@Suite struct OwnTracksTests {
  private func read(_ text: String) -> JSONRecorder { JSONRecorder(.owntracks, text) }

  @Test func `a recording gives its locations, and no other messages`() {
    let found = read(JSONSamples.recording)
    #expect(found.latitudesE7 == [481_000_000, 482_000_000])
    #expect(found.times == ["2024-05-01T10:00:00Z", "2024-05-01T10:01:00Z"])
    #expect(found.fixes.map(\.horizontalAccuracyMeters) == [10, nil])
    #expect(found.fixes.map(\.elevationMeters) == [520, nil])
    #expect(found.fixes.map(\.speedMetersPerSecond) == [10, nil], "km/h; -1 is unknown")
    #expect(found.lines == [1, 5])
    #expect(found.warnings.map(\.code) == [.malformed, .leftOut])
    #expect(found.warnings.map(\.line) == [3, 4])
  }

  @Test func `messages as lines, as an array and as an answer of the recorder are the same`() {
    let messages = (0..<3).map { index in
      "{\"_type\":\"location\",\"lat\":48.\(index + 1),\"lon\":11,\"tst\":171455760\(index)}"
    }
    let expected = read(messages.joined(separator: "\n")).fixes
    #expect(expected.count == 3)
    let list = messages.joined(separator: ",")
    for text in [
      "[\(list)]", "{\"count\":3,\"data\":[\(list)]}", messages.joined(separator: "\r\n"),
    ] {
      #expect(read(text).fixes == expected)
      #expect(read(text).warnings.isEmpty)
    }
  }

  @Test func `times in milliseconds are read, texts are numbers, null is nothing`() {
    let found = read(
      """
      {"_type":"location","lat":"48.1","lon":"11","tst":1714557600000}
      {"_type":"location","lat":48.2,"lon":11,"tst":null}
      {"_type":"location","lat":null,"lon":11,"tst":1714557600}
      {"lat":48.3,"lon":11,"tst":1714557600}
      """)
    #expect(found.times == ["2024-05-01T10:00:00Z", nil])
    #expect(found.skips == 1)
  }

  @Test func `a recording without locations is read, and says so`() {
    #expect(read("{\"_type\":\"lwt\",\"tst\":1714557600}").codes == [.leftOut])
    #expect(read("{\"_type\":\"encrypted\",\"data\":\"x\"}").codes == [.leftOut])
    #expect(read("{\"_type\":\"lwt\",\"tst\":1}").error == nil)
    #expect(read("{\"a\":1}").error?.code == .unknownFormat)
  }
}
