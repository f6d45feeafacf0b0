import FuzzSupport

@testable import TrackIngest

/// A location history of Google gives the same events in pieces and whole.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzGoogle(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  checkPieces(FuzzInput(start, count)) { GoogleTimelineDecoder(now: EventRecorder.now) }
  return 0
}
