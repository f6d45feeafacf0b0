/// Messages and definitions.
extension FITDecoder {
  /// The reason why no further message can be read.
  enum Halt {
    /// More bytes are needed: this many in total.
    case incomplete(Int)
    /// The data has its stated length.
    case complete
    /// The next message goes beyond the stated length.
    case beyond
    /// The next message has no definition, or the bytes are not a message.
    case unreadable
  }

  /// Takes all whole messages.
  ///
  /// Sound: `start` has `available` bytes; a message is read only if all its bytes are among them.
  ///
  /// - Returns: the number of bytes consumed.
  mutating func takeMessages(
    _ start: UnsafePointer<UInt8>, available: Int, isEnd: Bool, into sink: inout some TrackSink
  ) -> Int {
    var position = 0
    var halt = Halt.incomplete(1)
    while true {
      guard position < left else {
        halt = .complete
        break
      }
      guard position < available else { break }
      let message = start + position
      let rest = available - position
      let header = message[0]
      let isDefinition =
        header & (FITHeaderByte.compressedTime | FITHeaderByte.definition)
        == FITHeaderByte.definition
      let isCompressed = header & FITHeaderByte.compressedTime != 0
      let type = Int(isCompressed ? header >> 5 & 3 : header & FITHeaderByte.localType)
      let length: Int
      if isDefinition {
        length = FITDefinition.length(message, available: rest)
      } else if let definition = definitions[type] {
        length = 1 + definition.size
      } else {
        halt = .unreadable
        break
      }
      guard length <= left - position else {
        halt = .beyond
        break
      }
      guard length <= rest else {
        halt = .incomplete(length)
        break
      }
      if isDefinition {
        guard let definition = FITDefinition(message, length: length) else {
          halt = .unreadable
          break
        }
        definitions[type] = definition
      } else if let definition = definitions[type] {
        if isCompressed { usesCompressedTimes = true }
        builder.take(
          UnsafeRawPointer(message + 1), definition, timeBits: isCompressed ? header & 0x1F : nil,
          offset: offset + position, into: &sink)
      }
      position += length
    }
    if position > 0 {
      checksum.add(start, count: position)
      if left != .max { left -= position }
      return position
    }
    return settle(halt, start, available: available, isEnd: isEnd, into: &sink)
  }
}
