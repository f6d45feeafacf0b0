/// The end of the data of a file: where its header says, or where its messages do.
///
/// Sound, for every function here: `start` has `available` bytes, with which every index is
/// compared.
extension FITDecoder {
  /// Decides what comes after the last message that could be read.
  ///
  /// - Returns: the number of bytes consumed; 0 if ``needed`` bytes are required, or at the end.
  mutating func settle(
    _ halt: Halt, _ start: UnsafePointer<UInt8>, available: Int, isEnd: Bool,
    into sink: inout some TrackSink
  ) -> Int {
    switch halt {
    case .incomplete(let count): needed = count
    case .complete, .unreadable: needed = FITLimits.lookahead
    case .beyond: needed = left + FITLimits.lookahead
    }
    guard isEnd || available >= needed else { return 0 }
    switch halt {
    case .incomplete: return cut(start, available: available, into: &sink)
    case .complete:
      if isDataEnd(after: 0, start, available: available)
        || !isMessage(start, available: available)
      {
        return endFile(start, available: available, isEnd: isEnd, into: &sink)
      }
    case .beyond:
      if available < left { return cut(start, available: available, into: &sink) }
      if isDataEnd(after: left, start, available: available) {
        return abandon(available: available, into: &sink)
      }
    case .unreadable:
      if isConfirmedEnd(after: 0, start, available: available) {
        if left != .max { warnOfLength(into: &sink) }
        return endFile(start, available: available, isEnd: isEnd, into: &sink)
      }
      // The checksum of a file without a length looks like a message.
      return available <= 2
        ? cut(start, available: available, into: &sink) : abandon(available: available, into: &sink)
    }
    // The header is wrong: messages follow the stated end.
    left = .max
    sink.warn(
      .malformed, line: nil,
      "The header states a length that is too short; messages after byte \(offset) were read, too.")
    return takeMessages(start, available: available, isEnd: isEnd, into: &sink)
  }

  /// Whether the data ends after `count` more bytes: a matching checksum or a header follows.
  private func isConfirmedEnd(
    after count: Int, _ start: UnsafePointer<UInt8>, available: Int
  ) -> Bool {
    let rest = available - count
    if rest >= 2, checksum.adding(start, count: count + 2) == 0 { return true }
    let end = start + count
    if rest >= FITLimits.shortestHeader, Self.isHeader(end) { return true }
    return rest >= FITLimits.shortestHeader + 2 && Self.isHeader(end + 2)
  }

  /// Whether the data ends after `count` more bytes, as its header says: that is confirmed, or
  /// nothing follows but a checksum or zeros. Bytes up to ``FITLimits/lookahead`` are available
  /// unless the source ends.
  private func isDataEnd(
    after count: Int, _ start: UnsafePointer<UInt8>, available: Int
  ) -> Bool {
    let rest = available - count
    if rest <= 2 || isConfirmedEnd(after: count, start, available: available) { return true }
    return (count..<count + min(rest, FITLimits.lookahead)).allSatisfy { start[$0] == 0 }
  }

  /// Whether a message begins with these bytes, more than 2, and not only a wrong checksum.
  private func isMessage(_ start: UnsafePointer<UInt8>, available: Int) -> Bool {
    let header = start[0]
    if header & FITHeaderByte.compressedTime != 0 {
      return usesCompressedTimes && definitions[Int(header >> 5 & 3)] != nil
    }
    if header & FITHeaderByte.definition != 0 { return start[1] == 0 && start[2] <= 1 }
    return header & FITHeaderByte.reserved == 0
      && definitions[Int(header & FITHeaderByte.localType)] != nil
  }

  /// Ends a file and takes its checksum. Chained files may lack it.
  private mutating func endFile(
    _ start: UnsafePointer<UInt8>, available: Int, isEnd: Bool, into sink: inout some TrackSink
  ) -> Int {
    stage = .header
    let isRight = available >= 2 && checksum.adding(start, count: 2) == 0
    if !isRight, available >= FITLimits.shortestHeader, Self.isHeader(start) {
      return takeHeader(start, available: available, isEnd: isEnd, into: &sink)
    }
    guard available >= 2 else {
      sink.warn(
        .truncated, line: nil,
        "The file ends before its checksum, at byte \(offset + available); its data was read.")
      return available
    }
    if !isRight, start[0] != 0 || start[1] != 0 { warnOfChecksum(into: &sink) }
    return 2
  }

  /// Ends the source where the data should continue.
  private mutating func cut(
    _ start: UnsafePointer<UInt8>, available: Int, into sink: inout some TrackSink
  ) -> Int {
    stage = .ignored
    let isWithoutLength = left == .max
    if isWithoutLength || available >= 2, checksum.adding(start, count: available) == 0 {
      // All of the file is here: it ends with its checksum.
      if !isWithoutLength { warnOfLength(into: &sink) }
    } else if isWithoutLength, available == 2 {
      if start[0] != 0 || start[1] != 0 { warnOfChecksum(into: &sink) }
    } else {
      sink.warn(
        .truncated, line: nil,
        "The file ends at byte \(offset + available) inside its data; "
          + "all messages before byte \(offset) were read.")
    }
    return available
  }

  /// Leaves out the rest of damaged data. If its length is known, another file may follow it.
  private mutating func abandon(available: Int, into sink: inout some TrackSink) -> Int {
    sink.warn(
      .malformed, line: nil,
      "The message at byte \(offset) is damaged; it and the rest of the data were left out.")
    guard left != .max else {
      stage = .ignored
      return available
    }
    stage = .skipped
    left += 2  // the checksum
    return skip(available)
  }

  private func warnOfLength(into sink: inout some TrackSink) {
    sink.warn(
      .malformed, line: nil,
      "The header states a length that is too long; the data ends before byte \(offset).")
  }

  private func warnOfChecksum(into sink: inout some TrackSink) {
    sink.warn(
      .malformed, line: nil,
      "The checksum at byte \(offset) is wrong; the messages were read nevertheless.")
  }
}
