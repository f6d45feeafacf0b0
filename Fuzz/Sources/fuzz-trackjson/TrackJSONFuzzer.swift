import FuzzSupport

@testable import TrackIngest

/// GeoJSON, OwnTracks, Polarsteps and logs of gpsd give the same events in pieces and whole.
///
/// Bits 6 and 7 of the choice select the format. A feature of GeoJSON may have up to 4 positions
/// that wait for their times if bit 5 is set.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTrackJSON(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = FuzzInput(start, count)
  switch input.choice >> 6 {
  case 0:
    let limit = input.choice & 32 == 0 ? GeoJSONLimits.waitingPositions : 4
    checkPieces(input) { GeoJSONTrackDecoder(now: EventRecorder.now, waitingPositions: limit) }
  case 1: checkPieces(input) { OwnTracksDecoder(now: EventRecorder.now) }
  case 2: checkPieces(input) { PolarstepsDecoder(now: EventRecorder.now) }
  default: checkPieces(input) { GPSDLogDecoder(now: EventRecorder.now) }
  }
  return 0
}
