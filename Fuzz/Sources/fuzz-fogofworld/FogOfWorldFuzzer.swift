import FuzzSupport

@testable import TrackIngest

/// A tile of Fog of World gives the same events in pieces and whole, its blocks lie in the tile,
/// and the name of a tile is read the same in any folder.
///
/// Bit 7 of the choice: the body is the file; otherwise a table and blocks that are put into a zlib
/// stream: the number of entries, four bytes for each (place and block, the low byte first), and
/// the bytes of the blocks. Bit 6: the body begins with a name, up to a line feed.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFogOfWorld(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = FuzzInput(start, count)
  var body = input.body[...]
  var name = "a1d0jhdz"
  if input.choice & 64 != 0 {
    name = String(decoding: body.prefix { $0 != 10 }, as: UTF8.self)
    body = body.dropFirst(name.utf8.count + 1)
    let tile = FogOfWorldName(path: name)
    require(name.contains("/") || tile == FogOfWorldName(path: "a/b/" + name), "a name in a folder")
    if let tile { require(tile.number >= 0 && tile.number < 1_000_000, "\(tile.number)") }
  }
  let bytes = input.choice & 128 != 0 ? Array(body) : zlib(contents(Array(body)))
  let piecewise = FuzzInput(choice: input.choice, body: bytes)
  checkPieces(piecewise) { FogOfWorldDecoder(path: name) }
  return 0
}

/// The table and the blocks.
private func contents(_ body: [UInt8]) -> [UInt8] {
  var table = [UInt8](repeating: 0, count: FogOfWorldTable.byteCount)
  let entries = min(Int(body.first ?? 0), (body.count - 1) / 4)
  for entry in 0..<max(0, entries) {
    let at = 1 + 4 * entry
    let place = Int(body[at]) + 256 * Int(body[at + 1] & 0x3F)
    (table[2 * place], table[2 * place + 1]) = (body[at + 2], body[at + 3])
  }
  return table + body.dropFirst(1 + 4 * max(0, entries))
}

/// A zlib stream of stored blocks (RFC 1950, RFC 1951 3.2.4).
private func zlib(_ contents: [UInt8]) -> [UInt8] {
  var stream: [UInt8] = [0x78, 0x01]
  var start = 0
  while start < contents.count {
    let length = min(65_535, contents.count - start)
    let isLast = start + length == contents.count
    stream += [isLast ? 1 : 0, UInt8(length & 255), UInt8(length >> 8)]
    stream += [UInt8(~length & 255), UInt8(~length >> 8 & 255)]
    stream += contents[start..<start + length]
    start += length
  }
  var (a, b) = (1, 0)
  for byte in contents {
    a = (a + Int(byte)) % 65_521
    b = (b + a) % 65_521
  }
  return stream + [b >> 8, b & 255, a >> 8, a & 255].map { UInt8($0) }
}
