import FuzzSupport

@testable import TrackIngest

/// IGC gives the same events in pieces and whole.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzIGC(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  checkPieces(FuzzInput(start, count)) { IGCDecoder(now: EventRecorder.now) }
  return 0
}
