import FuzzSupport

@testable import TrackIngest

/// TCX gives the same events in pieces, whole, and on the exact path alone.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTCX(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  var exact = TCXDecoder(now: EventRecorder.now)
  exact.usesFastPath = false
  checkPieces(FuzzInput(start, count), exact: exact) { TCXDecoder(now: EventRecorder.now) }
  return 0
}
