import Foundation
import FuzzSupport
@testable import Geodesy

@testable import ByteStreams

/// Lines of positions: a stream in blocks of any size gives the lines of a plain split. A line is a
/// position in range, whose printed form gives the same position, or an error with words.
///
/// Bits 0 to 4 of the choice, plus 1, are the size of the blocks that are read. With bit 5 the
/// longest line has 16 bytes.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzPositions(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = FuzzInput(start, count)
  // A pipe takes this much before anything is read from it.
  guard input.body.count <= 1 << 14 else { return 0 }
  let longest = input.choice & 32 != 0 ? 16 : InputLines.longestLine
  let lines = plainLines(of: input.body, longest: longest)
  let streamed = streamedLines(
    of: input.body, blockBytes: Int(input.choice & 31) + 1, longest: longest)
  requireEqual(lines, streamed, "lines, split and streamed")
  for case .bytes(let line) in lines { checkPosition(line) }
  return 0
}

/// Splits all bytes at once.
private func plainLines(of bytes: [UInt8], longest: Int) -> [InputLines.Line] {
  var parts = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  if parts.last?.isEmpty == true { parts.removeLast() }
  return parts.enumerated().map { number, part in
    guard part.count <= longest else { return .tooLong }
    var line = part
    if number == 0, line.starts(with: [0xEF, 0xBB, 0xBF]) { line = line.dropFirst(3) }
    if line.last == UInt8(ascii: "\r") { line = line.dropLast() }
    return .bytes(line)
  }
}

/// Reads the lines from a pipe.
private func streamedLines(of bytes: [UInt8], blockBytes: Int, longest: Int) -> [InputLines.Line] {
  var ends: [Int32] = [0, 0]
  require(pipe(&ends) == 0, "there is no pipe")
  require(write(ends[1], bytes, bytes.count) == bytes.count, "the pipe is full")
  close(ends[1])
  defer { close(ends[0]) }
  let reader = InputLines(descriptor: ends[0], blockBytes: blockBytes, longestLine: longest)
  var lines: [InputLines.Line] = []
  do throws(InputLines.Failure) {
    while let line = try reader.next(beforeWaiting: {}) { lines.append(line) }
    require(try reader.next(beforeWaiting: {}) == nil, "a line after the last")
  } catch {
    fatalError("the pipe cannot be read: \(error.code)")
  }
  return lines
}

private func checkPosition(_ line: ArraySlice<UInt8>) {
  let plain = PlainPosition.coordinate(in: line)
  if let plain { checkPlain(plain, line) }
  let isASCII = line.allSatisfy { $0 < 0x80 }
  let text = String(decoding: line, as: UTF8.self)
  do throws(CoordinateTextError) {
    let position = try Coordinate(text: text)
    checkRange(position)
    require(plain == nil || plain == position, "\(plain as Any) and \(position) of \(text)")
    checkPrinted(position)
    // Other letters may join with a quote to one character.
    guard isASCII else { return }
    for quoted in ["\"\(text)\"", " (\(text)) "] {
      require((try? Coordinate(text: quoted)) == position, "\(position) differs in \(quoted)")
    }
  } catch {
    require(!error.description.isEmpty, "an error without words")
    require(plain == nil, "\(plain as Any) is an error as text: \(error)")
    guard case .swapped(let proposal, _) = error else { return }
    guard let other = try? Coordinate(text: proposal) else {
      fatalError("the proposal \(proposal) is not a position")
    }
    checkRange(other)
  }
}

/// A plain position is what its two numbers are by Swift's own reader.
private func checkPlain(_ position: Coordinate, _ line: ArraySlice<UInt8>) {
  checkRange(position)
  checkPrinted(position)
  guard let (latitude, longitude) = PlainPosition.degrees(in: line) else {
    fatalError("\(position) from a line without two numbers")
  }
  let other = try? Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
  require(position == other, "\(position), as numbers \(other as Any)")
}

/// The printed form gives the same position, as a line and as a text.
private func checkPrinted(_ position: Coordinate) {
  let printed = position.description
  require((try? Coordinate(text: printed)) == position, "\(printed) is not the same as a text")
  require(
    PlainPosition.coordinate(in: Array(printed.utf8)[...]) == position,
    "\(printed) is not the same as a line")
}

private func checkRange(_ position: Coordinate) {
  require(abs(Int64(position.latitudeE7)) <= 900_000_000, "latitude \(position.latitudeE7)")
  require(
    (-1_800_000_000..<1_800_000_000).contains(Int64(position.longitudeE7)),
    "longitude \(position.longitudeE7)")
}
