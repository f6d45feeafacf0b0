import Geodesy
import TestSupport
import Testing

@testable import TrackIngest

/// Headers, checksums and lengths, right and wrong ones.
@Suite struct FITFramingTests {
  private let activity = FITSamples.activity()

  @Test(arguments: [12, 14, 15, 40])
  func `a header may have any size from 12 bytes`(size: Int) {
    let read = expectSame(activity.file(headerSize: size), inAnyPiecesWith: decoder)
    #expect(read.fixes.count == 10)
    #expect(read.warnings.isEmpty)
    #expect(read.error == nil)
  }

  private var decoder: FITDecoder { FITDecoder(now: readingTime) }

  @Test func `a checksum of 0 is absent, another wrong one gives a warning`() {
    var bytes = activity.file()
    (bytes[12], bytes[13]) = (0, 0)
    let end = bytes.count
    (bytes[end - 2], bytes[end - 1]) = (0, 0)
    #expect(FITSamples.decode(bytes).warnings.isEmpty)
    bytes[12] = 1
    bytes[end - 1] = 9
    let read = expectSame(bytes, inAnyPiecesWith: decoder)
    #expect(read.fixes.count == 10)
    #expect(
      read.warnings.map(\.message) == [
        "The checksum of the header at byte 0 is wrong; the file was read nevertheless.",
        "The checksum at byte \(end - 2) is wrong; the messages were read nevertheless.",
      ])
  }

  @Test func `a header without a length is read to the end`() {
    let read = expectSame(activity.file(length: 0), inAnyPiecesWith: decoder)
    #expect(read.fixes.count == 10)
    #expect(read.codes == [.malformed])
    // Another file follows, and one that is cut.
    let chained = activity.file(length: 0) + activity.file()
    #expect(FITSamples.decode(chained).fixes.count == 20)
    #expect(FITSamples.decode(chained).codes == [.malformed])
    let cut = expectSame(Array(activity.file(length: 0).dropLast(9)), inAnyPiecesWith: decoder)
    #expect(cut.codes == [.malformed, .truncated])
  }

  @Test func `every length that is too short is found out`() {
    let count = activity.data.count
    for length in 1..<count {
      let read = FITSamples.decode(activity.file(length: length))
      #expect(read.fixes.count == 10, "a length of \(length), not \(count)")
      #expect(read.codes == [.malformed], "a length of \(length), not \(count)")
    }
  }

  @Test func `a length that is too long gives a warning, and the next file is found`() {
    for excess in [1, 2, 3, 50, 100_000] {
      let bytes = activity.file(length: activity.data.count + excess)
      let read = expectSame(bytes, inAnyPiecesWith: decoder)
      #expect(read.fixes.count == 10, "\(excess) bytes too many")
      #expect(read.codes == [.malformed], "\(excess) bytes too many")
      #expect(FITSamples.decode(bytes + activity.file()).fixes.count == 20, "\(excess) too many")
    }
  }

  @Test func `chained files are tracks of one source`() {
    let read = expectSame(
      activity.file() + activity.file(headerSize: 12) + activity.file(), inAnyPiecesWith: decoder)
    #expect(read.fixes.count == 30)
    #expect((read.tracks, read.segments) == (3, 3))
    #expect(read.warnings.isEmpty, "each file has a clock of its own")
    // Without the checksum between them.
    let bare = Array(activity.file().dropLast(2)) + activity.file()
    #expect(expectSame(bare, inAnyPiecesWith: decoder).fixes.count == 20)
  }

  @Test func `definitions of one file do not count in the next`() {
    var second = FITWriter()
    second.data = [0] + [UInt8](repeating: 1, count: 12)
    let read = FITSamples.decode(activity.file() + second.file())
    #expect(read.fixes.count == 10)
    #expect(read.codes == [.malformed])
  }

  @Test(arguments: [1, 2, 11, 12, 16, 512])
  func `bytes behind the end are ignored with a warning`(count: Int) {
    for byte: UInt8 in [0, 0x0A, 0xFF] {
      let junk = [UInt8](repeating: byte, count: count)
      let read = expectSame(activity.file() + junk, inAnyPiecesWith: decoder)
      #expect(read.fixes.count == 10)
      #expect(read.codes == [.trailingJunk])
      // Also if the checksum is absent.
      let absent =
        Array(activity.file().dropLast(2)) + [0, 0] + [UInt8](repeating: 0, count: count)
      #expect(expectSame(absent, inAnyPiecesWith: decoder).fixes.count == 10)
    }
  }

  @Test func `a file truncated at any byte gives exactly the complete records before the cut`() {
    let bytes = activity.file()
    let all = FITSamples.decode(bytes).fixes
    var counts: Set<Int> = []
    for length in 0..<bytes.count {
      let read = FITSamples.decode(Array(bytes.prefix(length)))
      #expect(read.fixes == Array(all.prefix(read.fixes.count)), "cut at \(length)")
      counts.insert(read.fixes.count)
      switch length {
      case 0: #expect(read.error?.code == .empty)
      case 1..<14: #expect(read.error?.code == .malformed, "cut at \(length)")
      default:
        #expect(read.error == nil)
        #expect(read.codes.contains(.truncated), "cut at \(length)")
      }
    }
    #expect(counts == Set(0...10))
    let place = FITSamples.decode(Array(bytes.prefix(100))).warnings.first?.message
    #expect(
      place == "The file ends at byte 100 inside its data; all messages before byte 94 were read.")
  }

  @Test func `damage ends a file, and the next one is read`() {
    var writer = FITSamples.activity(3)
    let damage = 14 + writer.data.count
    writer.message(9, [])
    for index in 0..<5 { writer.message(0, FITSamples.record(index)) }
    let read = expectSame(writer.file() + activity.file(), inAnyPiecesWith: decoder)
    #expect(read.fixes.count == 13)
    #expect(
      read.warnings.map(\.message) == [
        "The message at byte \(damage) is damaged; it and the rest of the data were left out."
      ])
    // A byte order that does not exist.
    var other = FITSamples.activity(3)
    other.data += [0x40, 0, 186, 20, 0, 0]
    other.message(0, FITSamples.record(3))
    #expect(FITSamples.decode(other.file()).fixes.count == 3)
  }

  @Test func `the largest message takes no more memory than its size`() {
    let field = FITWriter.Field(200, 255, 13)
    var writer = FITSamples.activity(2)
    writer.define(
      5, global: 20, [FITWriter.Field](repeating: field, count: 255),
      developerSizes: [Int](repeating: 255, count: 255))
    writer.message(5, [Int](repeating: 0, count: 255))
    writer.message(0, FITSamples.record(2))
    let read = expectSame(writer.file(), inAnyPiecesWith: decoder)
    #expect(read.fixes.count == 3)
    #expect(read.warnings.isEmpty)
  }

  @Test func `a hundred thousand definitions are no problem`() {
    var writer = FITSamples.activity(2)
    for _ in 0..<100_000 { writer.data += [0x43, 0, 0, 20, 0, 0] }
    writer.message(0, FITSamples.record(2))
    let read = FITSamples.decode(writer.file())
    #expect(read.fixes.count == 3)
    #expect(read.warnings.isEmpty)
  }

  @Test(arguments: [
    ([], IngestError.Code.empty), ([14, 0x20], .malformed),
    (Array("a text without any header".utf8), .unknownFormat), ([0], .malformed),
  ])
  func `other bytes are refused`(bytes: [UInt8], code: IngestError.Code) {
    let read = expectSame(bytes, inAnyPiecesWith: decoder)
    #expect(read.error?.code == code)
    #expect(read.events.isEmpty)
  }
}
