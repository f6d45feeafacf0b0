import FuzzSupport

@testable import GridHash

/// Coverages as a stream: in pieces of any size they give the tiles and the error of a single
/// piece, and they give the coverage that the reader of whole coverages gives, or both give an
/// error.
///
/// Bits 0 to 4 of the choice select the sizes of the pieces. With bit 5 the body gets a valid
/// checksum, which no fuzzer would find.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzCoverageStream(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = FuzzInput(start, count)
  var bytes = input.body
  if input.choice & 32 != 0 {
    withUnsafeBytes(of: CRC32C.checksum(bytes).littleEndian) { bytes.append(contentsOf: $0) }
  }
  var once = StreamedCoverage()
  FuzzInput.withWhole(bytes) { once.append($0) }
  once.finish()
  var pieces = StreamedCoverage()
  input.forEachPiece(of: bytes) { pieces.append($0) }
  pieces.finish()
  requireEqual(once.keys, pieces.keys, "keys in one piece and in pieces")
  requireEqual(once.tiles, pieces.tiles, "tiles in one piece and in pieces")
  require(
    once.error == pieces.error, "errors, in pieces: \(once.error as Any), \(pieces.error as Any)")

  var whole: Coverage?
  FuzzInput.withWhole(bytes) { whole = try? Coverage(serialized: $0) }
  require((whole == nil) == (pieces.error != nil), "whole: \(whole as Any), \(pieces.error as Any)")
  guard let whole else { return 0 }
  require(whole.grid == pieces.grid, "the grids differ")
  require(whole.count == pieces.cellCount, "\(whole.count) and \(pieces.cellCount) cells")
  var copy = Coverage(grid: whole.grid)
  for (key, tile) in zip(pieces.keys, pieces.tiles) { copy.insert(tile, at: key) }
  require(copy == whole, "the coverage of the stream differs")
  return 0
}

/// What a stream reader returns until the first error.
private struct StreamedCoverage {
  private(set) var keys: [Int64] = []
  private(set) var tiles: [Tile] = []
  private(set) var error: CoverageFormatError?
  private var reader = CoverageStreamReader()

  var grid: Grid? { reader.grid }
  var cellCount: Int { reader.cellCount }

  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard error == nil else { return }
    reader.append(bytes)
    do throws(CoverageFormatError) {
      while let (key, tile) = try reader.next() {
        keys.append(key)
        tiles.append(tile)
      }
    } catch {
      self.error = error
    }
  }

  mutating func finish() {
    guard error == nil else { return }
    do throws(CoverageFormatError) { try reader.finish() } catch { self.error = error }
  }
}
