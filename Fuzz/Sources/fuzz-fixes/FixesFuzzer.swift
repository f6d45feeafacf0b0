import FuzzSupport

@testable import GeoStore

/// Packed fixes: any bytes are refused or give fixes that survive being packed again.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFixes(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  // Sound: libFuzzer states the count of its bytes, which are valid during the call.
  FuzzInput.withWhole(Array(UnsafeBufferPointer(start: start, count: count))) { bytes in
    guard let fixes = try? FixChunk.decode(bytes) else { return }
    FuzzInput.withWhole(FixChunk.encode(fixes)) { again in
      guard let same = try? FixChunk.decode(again) else {
        fatalError("what was written cannot be read")
      }
      requireEqual(fixes, same, "read, written and read")
    }
  }
  return 0
}
