import Testing

@testable import TrackIngest

@Suite struct PolarstepsTests {
  @Test func `a trip gives its locations with times in seconds`() {
    let found = JSONRecorder(.polarsteps, JSONSamples.trip)
    #expect(found.latitudesE7 == [481_000_000, 482_000_000])
    #expect(found.longitudesE7 == [115_000_000, 116_000_000])
    #expect(found.times == ["2024-05-01T10:00:00.250Z", "2024-05-01T10:01:00Z"])
    #expect(found.skips == 1)
    #expect(found.lines == [1, 2])
  }

  @Test func `a trip without locations is read, other JSON is refused`() {
    #expect(JSONRecorder(.polarsteps, "{\"locations\":[]}").codes == [.leftOut])
    #expect(JSONRecorder(.polarsteps, "{\"steps\":[]}").error?.code == .unknownFormat)
  }
}
