import FuzzSupport

@testable import TrackIngest

/// KML gives the same events in pieces, whole, and on the exact path alone.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzKML(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  var exact = KMLDecoder(now: EventRecorder.now)
  exact.usesFastPath = false
  checkPieces(FuzzInput(start, count), exact: exact) { KMLDecoder(now: EventRecorder.now) }
  return 0
}
