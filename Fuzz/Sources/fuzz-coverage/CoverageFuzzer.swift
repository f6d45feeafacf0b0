import FuzzSupport

@testable import GridHash

/// Serialized tiles and coverages: any bytes are refused, or are the canonical form of their
/// content.
///
/// If the choice is odd, the body gets a valid checksum, which no fuzzer would find. Bit 1 selects
/// a tile or a coverage.
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
