import GeoStore
import Geodesy
import Testing
import TrackIngest

@testable import RoquaBench

@Suite struct SimulationTests {
  private static func fixes(seed: UInt64) -> [KeptFix] {
    var tracks = SimulatedTracks(seed: seed)
    return (0..<20).flatMap { _ in tracks.next() }
  }

  @Test func `equal seeds give equal tracks, and different seeds different ones`() {
    #expect(Self.fixes(seed: 7) == Self.fixes(seed: 7))
    #expect(Self.fixes(seed: 7) != Self.fixes(seed: 8))
    #expect(
      SimulatedLog.gpx(bytes: 50_000, seed: 7).bytes
        == SimulatedLog.gpx(bytes: 50_000, seed: 7).bytes)
    #expect(
      SimulatedLog.nmea(bytes: 50_000, seed: 7).bytes
        != SimulatedLog.nmea(bytes: 50_000, seed: 8).bytes)
  }

  @Test func `fixes are 80 m apart, and each track starts a segment`() {
    let fixes = Self.fixes(seed: 3)
    #expect(fixes.count == 20 * SimulatedTracks.fixesPerTrack)
    #expect(fixes.count(where: \.startsSegment) == 20)
    for (first, second) in zip(fixes, fixes.dropFirst()) where !second.startsSegment {
      let meters = first.coordinate.distanceMeters(to: second.coordinate)
      #expect(abs(meters - SimulatedTracks.stepMeters) < 1)
    }
  }

  /// Reads the fixes of a log with the public decoder, without code of the benchmark.
  private static func read(_ log: SimulatedLog) -> (points: Int, fixes: [Fix], warnings: Int) {
    var filter = FilterSettings()
    filter.trackingDistanceMeters = 0
    var reader = TrackReader(
      filter: filter, now: Timestamp(millisecondsSince1970: 1_767_225_600_000))
    log.bytes.withUnsafeBytes { reader.read($0) }
    let report = reader.finish()
    return (report.points, reader.takeAccepted().map(\.fix), report.warnings.count)
  }

  @Test func `a GPX log contains exactly its stated points`() {
    let log = SimulatedLog.gpx(bytes: 300_000, seed: 11)
    let (points, fixes, warnings) = Self.read(log)
    #expect(log.bytes.count >= 300_000)
    #expect(points == log.points.count)
    #expect(warnings == 0)
    #expect(fixes.map(\.coordinate) == log.points)
  }

  @Test func `an NMEA log contains its stated points to within 2 cm`() {
    let log = SimulatedLog.nmea(bytes: 300_000, seed: 12)
    let (points, fixes, warnings) = Self.read(log)
    #expect(points == log.points.count)
    #expect(warnings == 0)
    #expect(fixes.count == log.points.count)
    // A unit of 1e-5 minute is 1.9 cm.
    #expect(zip(fixes, log.points).allSatisfy { $0.coordinate.distanceMeters(to: $1) < 0.02 })
  }
}
