import Geodesy
import TestSupport
import Testing

@testable import TrackIngest

/// Times of FIT files: full, compressed and impossible ones.
@Suite struct FITTimeTests {
  private let start = FITSamples.start

  /// Decodes records with these times.
  private func decode(_ times: [Int]) -> TrackRecorder {
    var writer = FITSamples.writer()
    for (index, time) in times.enumerated() { writer.message(0, [time, index, index]) }
    return FITSamples.decode(writer.file())
  }

  @Test func `times count from the last day of 1989`() {
    // The smallest date; then 2020-01-01.
    let read = decode([0x1000_0000, 946_771_200])
    #expect(read.times == ["1998-07-03T21:24:16Z", "2020-01-01T00:00:00Z"])
  }

  @Test func `small times count from the start of the device and have no date`() {
    let read = decode([0, 5, 0x0FFF_FFFF, start])
    #expect(read.times == ["-", "-", "-", "2024-05-01T10:00:00Z"])
    #expect(read.codes == [.impossibleTime, .impossibleTime, .impossibleTime])
    #expect(Set(read.warnings).count == 1, "the warning of each record is that of the first")
  }

  @Test func `a time more than a day ahead is ignored`() {
    let now = Int(readingTime.millisecondsSince1970 / 1_000) - 631_065_600
    let read = decode([now + 86_400, now + 86_401, 0xFFFF_FFFE])
    #expect(read.times == ["2026-01-02T00:00:00Z", "-", "-"])
    #expect(read.codes == [.impossibleTime, .impossibleTime])
  }

  @Test func `times that run backward keep the order of the file`() {
    let read = decode([start, start - 1, start + 5, start + 5, start + 4])
    #expect(read.fixes.count == 5)
    #expect(read.codes == [.timeBackwards, .timeBackwards])
    #expect(
      read.warnings.first?.message
        == "A time is earlier than the one before it, first at byte 42; "
        + "the order of the file was kept.")
  }

  @Test(arguments: Seeds.sample(40))
  func `compressed times roll over after 32 seconds`(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var writer = FITWriter()
    writer.define(0, global: 20, [.timestamp, .latitude, .longitude])
    writer.define(2, global: 20, [.latitude, .longitude])
    writer.define(3, global: 34, [.timestamp])
    var now = start + Int.random(in: 0..<64, using: &random)
    writer.message(0, [now, 1, 1])
    var expected = [now]
    for _ in 0..<100 {
      // A full time of any message is the base of those after it.
      if Int.random(in: 0..<8, using: &random) == 0 {
        now += Int.random(in: 0..<5_000, using: &random)
        writer.message(3, [now])
      }
      now += Int.random(in: 0..<32, using: &random)
      writer.message(2, [1, 1], timeBits: now & 31)
      expected.append(now)
    }
    let read = FITSamples.decode(writer.file())
    #expect(
      read.fixes.map { $0.time?.millisecondsSince1970 }
        == expected.map { Int64($0 + 631_065_600) * 1_000 })
  }

  @Test func `a compressed time before any full time is unknown, also in each later file`() {
    var first = FITSamples.writer()
    first.message(0, [start, 1, 1])
    var second = FITWriter()
    second.define(1, global: 20, [.latitude, .longitude])
    second.message(1, [1, 1], timeBits: 7)
    let read = FITSamples.decode(first.file() + second.file())
    #expect(read.times == ["2024-05-01T10:00:00Z", "-"])
    #expect(read.warnings.isEmpty)
  }

  @Test func `a full time in a message with a compressed one takes precedence`() {
    var writer = FITSamples.writer()
    writer.message(0, [start + 100, 1, 1], timeBits: 3)
    #expect(FITSamples.decode(writer.file()).times == ["2024-05-01T10:01:40Z"])
  }
}
