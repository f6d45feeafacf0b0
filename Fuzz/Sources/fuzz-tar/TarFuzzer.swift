import FuzzSupport

@testable import StoreLock

/// A tar archive, as a locked store holds it: any bytes give the same members and the same error,
/// whole and in pieces; a header is written again with the same values; and no name leads out of
/// the folder of the store.
///
/// With bit 7 of the choice, headers of ordinary files get a valid checksum, which no fuzzer would
/// find. Bits 0 to 4 select the pieces.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzTar(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = FuzzInput(start, count)
  let archive = input.choice & 128 == 0 ? input.body : sealed(input.body)
  let whole = Contents { FuzzInput.withWhole(archive, $0) }
  let pieces = Contents { input.forEachPiece(of: archive, $0) }
  requireEqual(whole.members, pieces.members, "whole and in pieces")
  require(
    whole.problem == pieces.problem, "\(whole.problem as Any) and \(pieces.problem as Any)")
  for (index, member) in whole.members.enumerated() {
    check(member, isLast: index == whole.members.count - 1)
  }
  return 0
}

/// The members of an archive, and why it is no archive.
private struct Contents {
  struct Member: Equatable {
    let header: TarHeader
    var bytes: [UInt8] = []
    var isWhole = false
  }

  var members: [Member] = []
  var problem: TarHeader.Problem?

  /// Reads an archive whose bytes a closure passes on.
  init(_ forEachPiece: ((UnsafeRawBufferPointer) -> Void) -> Void) {
    var (parser, members) = (TarParser(), [Member]())
    var problem: TarHeader.Problem?
    func take(_ event: TarParser.Event) {
      switch event {
      case .member(let header):
        require(members.last?.isWhole ?? true, "a member begins in another one")
        members.append(Member(header: header))
      case .bytes(let bytes):
        require(!bytes.isEmpty, "an empty piece was handed out")
        members[members.count - 1].bytes += bytes
      case .endOfMember:
        members[members.count - 1].isWhole = true
      }
    }
    forEachPiece { piece in
      guard problem == nil else { return }
      do {
        try parser.append(piece, to: take)
      } catch {
        guard let known = error as? TarHeader.Problem else { fatalError("another error: \(error)") }
        problem = known
      }
    }
    if problem == nil {
      do throws(TarHeader.Problem) { try parser.finish() } catch { problem = error }
    }
    (self.members, self.problem) = (members, problem)
  }
}

private func check(_ member: Contents.Member, isLast: Bool) {
  let header = member.header
  require(member.isWhole || isLast, "a member is not whole")
  require(
    member.isWhole ? member.bytes.count == header.size : member.bytes.count < header.size,
    "\(member.bytes.count) of \(header.size) bytes")
  require((try? TarHeader(block: header.block)) == header, "\(header) is written as another one")
  checkName(header.name)
}

/// The file of a name is beside the store, or in the one folder of its sync.
private func checkName(_ name: String) {
  guard let file = StoreFile(name: name) else { return }
  require(file.name == name, "\(file.name) is not \(name)")
  let parts = Array(file.path(of: "/place/store.sqlite").utf8)
    .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    .map { String(decoding: $0, as: UTF8.self) }
  require(Array(parts.prefix(2)) == ["", "place"], "\(name) is elsewhere")
  switch parts.count {
  case 3: require(parts[2].hasPrefix("store.sqlite"), "\(name) is another file")
  case 4:
    require(parts[2] == "store.sqlite-sync", "\(name) is in another folder")
    require(!["", ".", "..", "lock"].contains(parts[3]), "\(name) is no file of its own")
  default: fatalError("\(name) leads to another folder")
  }
}

/// The archive with valid headers, as far as the sizes in them are followed.
private func sealed(_ body: [UInt8]) -> [UInt8] {
  var archive = body
  var place = 0
  while place + TarHeader.blockBytes <= archive.count {
    var block = Array(archive[place..<place + TarHeader.blockBytes])
    guard block.contains(where: { $0 != 0 }) else { break }
    block[156] = UInt8(ascii: "0")
    block.replaceSubrange(257..<265, with: Array("ustar\0".utf8) + Array("00".utf8))
    block.replaceSubrange(345..<500, with: [UInt8](repeating: 0, count: 155))
    block.replaceSubrange(148..<156, with: [UInt8](repeating: 0x20, count: 8))
    let sum = String(block.reduce(0) { $0 + Int($1) }, radix: 8)
    let digits = String(repeating: "0", count: 6 - sum.utf8.count) + sum
    block.replaceSubrange(148..<156, with: Array(digits.utf8) + [0, 0x20])
    archive.replaceSubrange(place..<place + block.count, with: block)
    guard let header = try? TarHeader(block: block), header.size < archive.count else { break }
    place += block.count + header.size + TarHeader.paddingBytes(after: header.size)
  }
  return archive
}
