/// Receives what a decoder finds, in the order of the file.
///
/// Decoders are generic over their sink, so that inside this module a sink costs no more than inlined code.
/// A decoder reports every position exactly once: as ``fix(_:line:)``, ``skip(_:line:)``, ``waypoint(_:line:)``
/// or ``routePoint(_:line:)``.
public protocol TrackSink {
  /// A track starts (GPX `trk`). NMEA has one track a log.
  mutating func beginTrack()
  /// A segment starts: an unbroken, ordered run of fixes. Empty segments are reported too.
  mutating func beginSegment()
  /// A route starts (GPX `rte`).
  mutating func beginRoute()
  /// A track point with a valid position.
  mutating func fix(_ fix: Fix, line: Int)
  /// A track point that is no fix, and why.
  mutating func skip(_ reason: SkipReason, line: Int)
  /// A waypoint with a valid position (GPX `wpt`).
  mutating func waypoint(_ fix: Fix, line: Int)
  /// A route point with a valid position (GPX `rtept`).
  mutating func routePoint(_ fix: Fix, line: Int)
  /// Something odd. The decoder may report the same code often; sinks decide how many they keep.
  mutating func warn(_ code: IngestWarning.Code, line: Int?, _ message: @autoclosure () -> String)
}

/// A decoder of one track format, fed with bytes in pieces of any size, down to one byte at a time, with the
/// same result. Its memory does not grow with the file.
public protocol TrackDecoder {
  /// Takes the next bytes of the file. `bytes` is only used during the call.
  mutating func decode(_ bytes: UnsafeRawBufferPointer, into sink: inout some TrackSink)
  /// The file has ended: reports what is still pending (and `truncated` where the format knows its end).
  ///
  /// - Returns: nil where the file is of this format; the reason to refuse it where nothing in it was.
  mutating func finish(into sink: inout some TrackSink) -> IngestError?
}
