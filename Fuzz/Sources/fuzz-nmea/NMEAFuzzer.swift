import FuzzSupport

@testable import TrackIngest

/// NMEA gives the same events in pieces and whole.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzNMEA(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  checkPieces(FuzzInput(start, count)) { NMEADecoder(now: EventRecorder.now) }
  return 0
}
