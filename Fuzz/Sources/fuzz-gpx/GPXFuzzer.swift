import FuzzSupport

@testable import TrackIngest

/// GPX gives the same events in pieces, whole, and on the exact path alone.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzGPX(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  var exact = GPXDecoder(now: EventRecorder.now)
  exact.usesFastPath = false
  checkPieces(FuzzInput(start, count), exact: exact) { GPXDecoder(now: EventRecorder.now) }
  return 0
}
