import FuzzSupport

@testable import ByteStreams

/// Any bytes as gzip, as zip with archives in it, and as tar, also within gzip: the output is the
/// same in pieces and whole, from a file and a stream, and within the limit of expansion.
///
/// With bit 6 of the choice, headers of tar get a valid checksum, which no fuzzer would find.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzContainers(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = FuzzInput(start, count)
  var (whole, pieces) = ([UInt8](), [UInt8]())
  let ending = expand(input, inPieces: false, into: &whole)
  let other = expand(input, inPieces: true, into: &pieces)
  requireEqual(whole, pieces, "gzip whole and in pieces")
  require(ending == other, "\(ending), in pieces \(other)")
  check(ending)

  let file = members(of: input, isStream: false, atMost: .max)
  requireEqual(
    file, members(of: input, isStream: false, atMost: input.pieceSizes[0]), "file in pieces")
  let stream = members(of: input, isStream: true, atMost: .max)
  requireEqual(
    stream, members(of: input, isStream: true, atMost: input.pieceSizes[0]), "stream in pieces")
  // 16 MiB plus 500 times the input plus one piece.
  let limit = (16 << 20) + input.body.count * 500 + (1 << 17)
  require(file.reduce(0) { $0 + $1.bytes } <= limit, "an archive expanded to more than it may")

  let archive = input.choice & 64 == 0 ? input.body : sealed(input.body)
  let tar = tarFiles(archive, from: .stream, atMost: .max)
  requireEqual(
    tar, tarFiles(archive, from: .stream, atMost: input.pieceSizes[0]), "tar in pieces")
  requireEqual(tar, tarFiles(archive, from: .file, atMost: input.pieceSizes[0]), "tar in a file")
  requireEqual(
    tar.map(\.name), tarFiles(archive, from: .file, atMost: .max, reads: false).map(\.name),
    "tar in a file, passing over all")
  require(tar.reduce(0) { $0 + $1.bytes } <= archive.count, "tar made bytes")
  if ending.error == nil {
    requireEqual(
      tarFiles(input.body, from: .gzip, atMost: input.pieceSizes[0]),
      tarFiles(whole, from: .stream, atMost: .max), "tar in gzip, and expanded")
  } else {
    _ = tarFiles(input.body, from: .gzip, atMost: .max)
  }
  return 0
}

/// Where the bytes of a tar archive come from. Of a file, what is passed over is not read.
private enum TarInput { case stream, gzip, file }

/// The files of a tar archive, and at last why it ended, if that is an error.
private func tarFiles(
  _ bytes: [UInt8], from kind: TarInput, atMost pieceBytes: Int, reads: Bool = true
) -> [Member] {
  var place = 0
  func read(_ position: Int, _ buffer: UnsafeMutableRawBufferPointer) -> Int {
    require(position <= bytes.count, "a file was read beyond its end")
    let piece = bytes.dropFirst(position).prefix(min(buffer.count, pieceBytes))
    buffer.copyBytes(from: piece)
    place = position + piece.count
    return piece.count
  }
  let gzip = GzipSource { buffer in read(place, buffer) }
  let archive =
    switch kind {
    case .stream: TarArchive { buffer in read(place, buffer) }
    case .gzip: TarArchive { (buffer) throws(StreamError) in try gzip.read(into: buffer) }
    case .file: TarArchive(byteCount: bytes.count) { (position, buffer) in read(position, buffer) }
    }
  var members: [Member] = []
  do {
    while let found = try archive.next() {
      var member = Member(name: found.name)
      guard reads else {
        members.append(member)
        continue
      }
      member.ending = archive.read { piece in
        require(!piece.isEmpty, "an empty piece was handed out")
        member.bytes += piece.count
        for byte in piece { member.sum = member.sum &* 31 &+ UInt64(byte) }
        return true
      }
      require(member.bytes <= found.byteCount, "a file is longer than its header says")
      check(member.ending)
      members.append(member)
    }
  } catch {
    EventRecorder.check(message: error.message)
    members.append(Member(name: error.message))
  }
  for warning in archive.warnings { EventRecorder.check(message: warning.message) }
  return members
}

/// The bytes with valid checksums in all blocks that have the mark of a header.
private func sealed(_ bytes: [UInt8]) -> [UInt8] {
  var bytes = bytes
  for start in stride(from: 0, to: bytes.count - 511, by: 512)
  where bytes[(start + 257)..<(start + 262)].elementsEqual("ustar".utf8) {
    bytes.replaceSubrange((start + 148)..<(start + 156), with: [UInt8](repeating: 0x20, count: 8))
    let sum = bytes[start..<(start + 512)].reduce(0) { $0 + Int($1) }
    let digits = String(sum, radix: 8)
    let text = String(repeating: "0", count: 6 - digits.utf8.count) + digits + "\0 "
    bytes.replaceSubrange((start + 148)..<(start + 156), with: Array(text.utf8))
  }
  return bytes
}

private func expand(_ input: FuzzInput, inPieces: Bool, into bytes: inout [UInt8]) -> StreamEnding {
  var decompressor = Decompressor()
  var goesOn = true
  func take(_ piece: UnsafeRawBufferPointer) -> Bool {
    require(!piece.isEmpty, "an empty piece was handed out")
    bytes += piece
    return true
  }
  func feed(_ piece: UnsafeRawBufferPointer) {
    if goesOn { goesOn = decompressor.read(piece, to: take) }
  }
  if inPieces {
    input.forEachPiece(of: input.body, feed)
  } else {
    FuzzInput.withWhole(input.body, feed)
  }
  return decompressor.finish(to: take)
}

/// The result of reading a member; checksums represent its bytes.
private struct Member: Equatable {
  var name: String
  var bytes = 0
  var sum: UInt64 = 0
  var ending = StreamEnding()
}

private func members(of input: FuzzInput, isStream: Bool, atMost pieceBytes: Int) -> [Member] {
  let bytes = input.body
  // In some runs offsets are cut to one byte, as those of archives over 4 GiB are to four.
  let lap = input.choice & 32 == 0 ? 1 << 32 : 1 << 8
  var position = 0
  var members: [Member] = []
  func copy(from start: Int, to buffer: UnsafeMutableRawBufferPointer) -> Int {
    let piece = bytes.dropFirst(start).prefix(min(buffer.count, pieceBytes))
    buffer.copyBytes(from: piece)
    return piece.count
  }
  do {
    let archive =
      isStream
      ? ZipArchive { buffer in
        let count = copy(from: position, to: buffer)
        position += count
        return count
      } : try ZipArchive(byteCount: bytes.count, lap: lap) { copy(from: $0, to: $1) }
    try addMembers(of: archive, to: &members)
  } catch {
    EventRecorder.check(message: error.message)
  }
  return members
}

/// Adds the members of an archive, and those of the archives in it.
private func addMembers(
  of archive: ZipArchive, prefix: String = "", depth: Int = 0, to members: inout [Member]
) throws(StreamError) {
  while let found = try archive.next() {
    var member = Member(name: prefix + found.name)
    let head = archive.head(of: found, count: 2)
    require(head.count <= 2, "a head is longer than asked for")
    if depth < 3, head == [0x50, 0x4B] {
      let inner = try archive.archive(in: found)
      try addMembers(of: inner, prefix: member.name + "/", depth: depth + 1, to: &members)
      member.ending = archive.end(found)
    } else {
      var first: [UInt8] = []
      member.ending = archive.read(found) { piece in
        require(!piece.isEmpty, "an empty piece was handed out")
        if first.count < 2 { first.append(contentsOf: piece.prefix(2 - first.count)) }
        member.bytes += piece.count
        for byte in piece { member.sum = member.sum &* 31 &+ UInt64(byte) }
        return true
      }
      require(first == head || member.ending.error != nil, "a member does not begin with its head")
    }
    check(member.ending)
    members.append(member)
  }
  for warning in archive.warnings { EventRecorder.check(message: warning.message) }
}

private func check(_ ending: StreamEnding) {
  for warning in ending.warnings { EventRecorder.check(message: warning.message) }
  if let error = ending.error { EventRecorder.check(message: error.message) }
}
