import FuzzSupport

@testable import GridHash

/// Serial tiles and coverages: any bytes are refused or are the one form of what they hold.
///
/// Where the choice is odd the body gets a fitting checksum, which no fuzzer would find; bit 1
/// chooses between a tile and a coverage.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCoverage(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = FuzzInput(start, count)
  var bytes = input.body
  if input.choice & 1 != 0 {
    withUnsafeBytes(of: CRC32C.checksum(bytes).littleEndian) { bytes.append(contentsOf: $0) }
  }
  FuzzInput.withWhole(bytes) { buffer in
    if input.choice & 2 == 0 {
      guard let tile = try? Tile(serialized: buffer) else { return }
      requireEqual(tile.serialized(), bytes, "a tile read and written")
    } else {
      guard let coverage = try? Coverage(serialized: buffer) else { return }
      requireEqual(coverage.serialized(), bytes, "a coverage read and written")
    }
  }
  return 0
}
