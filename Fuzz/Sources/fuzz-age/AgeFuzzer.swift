import FuzzSupport

@testable import AgeFile

/// The identity of the test vectors, which are the seeds.
private let secret = "AGE-SECRET-KEY-1EGTZVFFV20835NWYV6270LXYVK2VKNX2MMDKWYKLMGR48UAWX40Q2P2LM0"
private let identities = (try? AgeIdentity(secret)).map { [$0] } ?? []

/// Any file gives the same bytes and the same error, whole and in pieces, and a header that is read
/// is written again in the same bytes. With bit 7 of the choice, the body says how long a payload
/// is and what is changed in it: an error, and no byte that differs. Bits 0 to 4 select the pieces.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzAge(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = FuzzInput(start, count)
  require(!identities.isEmpty, "there is no cryptography")
  if input.choice & 128 == 0 { readFile(input) } else { changePayload(input) }
  return 0
}

/// The bytes that were given out, and the error.
private struct Outcome {
  var bytes: [UInt8] = []
  var error: AgeError?

  init(_ body: ((UnsafeRawBufferPointer) -> Void) throws -> Void) {
    do {
      var given: [UInt8] = []
      defer { bytes = given }
      try body { given.append(contentsOf: $0) }
    } catch {
      guard let error = error as? AgeError else { fatalError("another error: \(error)") }
      self.error = error
    }
  }
}

private func readFile(_ input: FuzzInput) {
  let whole = Outcome { sink in
    let decryptor = AgeDecryptor(with: identities)
    var failure: (any Error)?
    FuzzInput.withWhole(input.body) { bytes in
      do { try decryptor.append(bytes, to: sink) } catch { failure = error }
    }
    if let failure { throw failure }
    try decryptor.finish(to: sink)
  }
  let pieces = Outcome { sink in
    let decryptor = AgeDecryptor(with: identities)
    var failure: (any Error)?
    input.forEachPiece(of: input.body) { bytes in
      do { try decryptor.append(bytes, to: sink) } catch { failure = error }
    }
    if let failure { throw failure }
    try decryptor.finish(to: sink)
  }
  requireEqual(whole.bytes, pieces.bytes, "in pieces")
  require(whole.error == pieces.error, "\(whole.error as Any) and \(pieces.error as Any)")

  var parser = AgeHeaderParser()
  FuzzInput.withWhole(input.body) { bytes in
    guard let (header, count) = try? parser.append(bytes), let header else { return }
    let written = AgeHeader.bytes(header.stanzas, fileKey: [UInt8](repeating: 0, count: 16))
    requireEqual(written.dropLast(44), Array(input.body[..<count]).dropLast(44), "the header")
  }
}

private func changePayload(_ input: FuzzInput) {
  var numbers = input.body.makeIterator()
  func number() -> Int { Int(numbers.next() ?? 0) << 8 | Int(numbers.next() ?? 0) }
  let contents = [UInt8](repeating: 7, count: number() * 3)
  let cipher = ChunkCipher(fileKey: [1], nonce: [2])
  var payload: [UInt8] = []
  let encryptor = PayloadEncryptor(cipher)
  let made = Outcome { _ in
    try contents.withUnsafeBytes { try encryptor.append($0) { payload.append(contentsOf: $0) } }
    try encryptor.finish { payload.append(contentsOf: $0) }
  }
  require(made.error == nil, "encrypting fails: \(made.error as Any)")
  let original = payload
  let (place, mask) = (number() * 3 % payload.count, number())
  switch mask & 3 {
  case 0: payload[place] ^= UInt8(truncatingIfNeeded: mask >> 8)
  case 1: payload.removeSubrange(place...)
  case 2: payload.append(UInt8(truncatingIfNeeded: mask >> 8))
  default: payload.insert(UInt8(truncatingIfNeeded: mask >> 8), at: place)
  }
  // Large pieces of a large payload, so that a run is short.
  let pieces = FuzzInput(choice: payload.count > 4096 ? input.choice | 25 : input.choice, body: [])
  let read = Outcome { sink in
    let decryptor = PayloadDecryptor(cipher)
    var failure: (any Error)?
    pieces.forEachPiece(of: payload) { bytes in
      do { if failure == nil { try decryptor.append(bytes, to: sink) } } catch { failure = error }
    }
    if let failure { throw failure }
    try decryptor.finish(to: sink)
  }
  require(read.bytes.elementsEqual(contents.prefix(read.bytes.count)), "contents differ")
  require((read.error == nil) == (payload == original), "a change is not noticed")
  if payload == original { require(read.bytes.count == contents.count, "contents are missing") }
}
