import FuzzSupport

@testable import TrackIngest

/// CSV gives the same events in pieces and whole.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCSV(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  checkPieces(FuzzInput(start, count)) { CSVDecoder(now: EventRecorder.now) }
  return 0
}
