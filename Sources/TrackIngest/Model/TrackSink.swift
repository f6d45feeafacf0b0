/// Receives the contents of a track file from a decoder, in the order of the file.
///
/// Decoders are generic over their sink, so that calls inside this module can be inlined. A decoder
/// reports every position exactly once: as ``fix(_:line:)``, ``skip(_:line:)``,
/// ``waypoint(_:line:)`` or ``routePoint(_:line:)``.
package protocol TrackSink {
  /// A track starts (GPX `trk`). NMEA has one track per log.
  mutating func beginTrack()
  /// The track that has begun was filtered before: an export of Roqua wrote its kept fixes.
  mutating func markKeptTrack()
  /// A segment starts: an unbroken, ordered run of fixes. Empty segments are reported too.
  mutating func beginSegment()
  /// A route starts (GPX `rte`).
  mutating func beginRoute()
  /// The offset of the first byte of the next position. Decoders call it whose files may be one
  /// long line, before the position.
  mutating func locate(byte: Int)
  /// A track point with a valid position.
  mutating func fix(_ fix: Fix, line: Int)
  /// A track point that is not a fix, with the reason.
  mutating func skip(_ reason: SkipReason, line: Int)
  /// A waypoint with a valid position (GPX `wpt`).
  mutating func waypoint(_ fix: Fix, line: Int)
  /// A route point with a valid position (GPX `rtept`).
  mutating func routePoint(_ fix: Fix, line: Int)
  /// A block of explored pixels, of a format that has no fixes. Sinks that only take fixes ignore
  /// it.
  mutating func explore(_ block: PixelBlock)
  /// A problem. Decoders may report the same code often; sinks decide how many they keep.
  mutating func warn(_ code: IngestWarning.Code, line: Int?, _ message: @autoclosure () -> String)
}

extension TrackSink {
  package mutating func explore(_ block: PixelBlock) {}
  package mutating func markKeptTrack() {}

  /// Ignores the offset.
  @inline(__always)
  package mutating func locate(byte: Int) {}
}

/// A decoder of one track format. It accepts bytes in pieces of any size, down to one byte at a
/// time, with the same result. Its memory does not grow with the file.
package protocol TrackDecoder {
  /// Decodes the next bytes of the file. They are only used during the call.
  mutating func decode(_ bytes: UnsafeRawBufferPointer, into sink: inout some TrackSink)
  /// Ends the file: reports what is pending, and `truncated` if the format knows its end.
  ///
  /// - Returns: nil if the file is of this format; otherwise the reason to refuse it.
  mutating func finish(into sink: inout some TrackSink) -> IngestError?
}
