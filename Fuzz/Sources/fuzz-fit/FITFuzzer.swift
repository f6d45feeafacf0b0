import FuzzSupport

@testable import TrackIngest

/// FIT gives the same events in pieces and whole.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFIT(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  checkPieces(FuzzInput(start, count)) { FITDecoder(now: EventRecorder.now) }
  return 0
}
