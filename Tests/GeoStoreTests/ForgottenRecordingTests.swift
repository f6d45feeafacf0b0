import Foundation
import Geodesy
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

/// The behavior of a recording after it, or a part of it, was forgotten.
@Suite struct ForgottenRecordingTests {
  private let home = Coordinate(47.37, 8.54)
  private let folder: TemporaryFolder
  private let store: Store
  private let recording: RecordingWriter

  init() throws {
    folder = try TemporaryFolder()
    store = try Store(path: folder.file("live.sqlite"), creating: true)
    recording = try store.beginRecording(identifier: "live", name: "recording", format: "live")
  }

  @Test func `a forgotten recording throws an error and stores nothing`() throws {
    var random = SplitMix64(seed: 5)
    let track = wanderingTrack(count: 20, homes: [home], using: &random)
    _ = try recording.append(track, points: 20)
    _ = try store.forget(sources: ["1"])
    let expected = StoreError.recordingForgotten(path: store.path, id: 1)
    #expect(throws: expected) { try recording.append(track, points: 20) }
    #expect(throws: expected) { try recording.append([], points: 1) }
    #expect(throws: expected) { try recording.finish(report: "{}") }
    #expect(try store.regions().isEmpty)
    #expect(try store.check().isSound)
    // A new recording works.
    let next = try store.beginRecording(identifier: "next", name: "recording", format: "live")
    _ = try next.append(track, points: 20)
    try next.finish(report: "{}")
    #expect(throws: DatabaseError.self) {
      _ = try store.beginRecording(identifier: "a", name: "a", format: "live")
      _ = try store.beginRecording(identifier: "a", name: "a", format: "live")
    }
  }

  @Test(arguments: [false, true])
  func `finishing a recording does not restore data that a privacy zone deleted`(
    isForgotten: Bool
  ) throws {
    var random = SplitMix64(seed: 7)
    let track = wanderingTrack(count: 40, homes: [home], using: &random)
    _ = try recording.append(track, points: 40)
    let report = #"{"points":45,"kept":45,"bounds":[47.3,8.5,47.4,8.6]}"#
    guard isForgotten else {
      _ = try store.forget(in: PrivacyZone(center: Coordinate(10, 10), radiusMeters: 100))
      try recording.finish(report: report)
      return #expect(try store.recordingReport() == report)
    }
    let taken = try store.forget(in: PrivacyZone(center: track[20].coordinate, radiusMeters: 60))
      .fixes
    #expect(taken > 0)
    let far = KeptFix(
      coordinate: Coordinate(10, 10), time: nil, accuracyMeters: nil, startsSegment: true)
    _ = try recording.append([far], points: 5)
    for _ in 0..<2 {  // the second time, too
      try recording.finish(report: report, staysAtEnd: true)
      #expect(try store.recordingReport() == "{}")
      #expect(try store.read { snapshot in try snapshot.lastTimesNearLastKeptFix() }.isEmpty)
    }
    let forgotten = try store.read { snapshot in
      try snapshot.connection.integer("SELECT forgotten FROM sources WHERE path = 'recording'")
    }
    #expect(forgotten == Int64(taken))
  }
}
