import Testing
import TestSupport

@testable import StoreSync

@Suite struct EnvelopeTests {
  static let key = [UInt8](repeating: 7, count: 32)
  static let path = SyncPath.source(SourceName(high: 1, low: 2), FileName(number: 3))

  func opened(_ bytes: [UInt8], path: SyncPath = path, key: [UInt8] = key) throws(SyncFormatError)
    -> [UInt8]
  {
    let envelope = try Envelope(bytes)
    try envelope.authenticate(path, key: key)
    return envelope.payload
  }

  @Test(arguments: [0, 1, 2, 46, 465, 466, 467, 500, 1000, 70_000])
  func `a payload comes out of its envelope as it went in`(count: Int) throws {
    let payload = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
    let bytes = Envelope.bytes(of: payload, at: Self.path, key: Self.key)
    #expect(try opened(bytes) == payload)
    #expect(bytes.count >= 512)
    #expect(bytes.starts(with: Array("RQSY\u{1}\u{3}".utf8)))
  }

  @Test(arguments: [(3, 1), (600, 7)])
  func `every changed bit and every missing byte is an error`(count: Int, step: Int) {
    let payload = [UInt8](repeating: 0, count: count)
    let bytes = Envelope.bytes(of: payload, at: Self.path, key: Self.key)
    for bit in stride(from: 0, to: 8 * bytes.count, by: step) {
      var changed = bytes
      changed[bit / 8] ^= 1 << (bit % 8)
      #expect(throws: SyncFormatError.self, "bit \(bit)") { try opened(changed) }
    }
    for count in bytes.indices {
      #expect(throws: SyncFormatError.self, "cut to \(count)") {
        try opened(Array(bytes[..<count]))
      }
    }
    #expect(throws: SyncFormatError.self) { try opened(bytes + [0]) }
  }

  @Test func `an envelope is not believed in another place, of another folder or of another kind`()
  {
    let bytes = Envelope.bytes(of: [1], at: Self.path, key: Self.key)
    let others: [SyncPath] = [
      .source(SourceName(high: 1, low: 2), FileName(number: 4)),
      .source(SourceName(high: 1, low: 3), FileName(number: 3)),
    ]
    for path in others {
      #expect(throws: SyncFormatError(.notAuthentic, in: "envelope", at: 6)) {
        try opened(bytes, path: path)
      }
    }
    #expect(throws: SyncFormatError(.notAuthentic, in: "envelope", at: 6)) {
      try opened(bytes, key: [UInt8](repeating: 8, count: 32))
    }
    #expect(throws: SyncFormatError(.wrongKind(3), in: "envelope", at: 5)) {
      try opened(bytes, path: .backup(FileName(number: 3)))
    }
  }

  @Test func `a later version and another file are recognized`() {
    var bytes = Envelope.bytes(of: [1], at: Self.path, key: Self.key)
    bytes[4] = 2
    #expect(throws: SyncFormatError(.unsupportedVersion(2), in: "envelope", at: 4)) {
      try opened(bytes)
    }
    #expect(throws: SyncFormatError(.notRoqua, in: "envelope", at: 0)) {
      try opened(Array("SQLite format 3".utf8))
    }
  }

  @Test func `Padmé leaves so few sizes that each hides many, and adds at most 12 %`() {
    var sizes: Set<Int> = []
    var last = 0
    for size in 2...200_000 {
      let padded = Envelope.padme(size)
      // The definition in floating-point numbers, where they are exact.
      let exponent = (0..<40).last { 1 << $0 <= size } ?? 0
      let bits = (0..<40).last { 1 << $0 <= exponent }.map { $0 + 1 } ?? 0
      let step = 1 << max(0, exponent - bits)
      #expect(padded == (size + step - 1) / step * step)
      #expect(padded >= size && Double(padded) < 1.12 * Double(size) + 1)
      #expect(padded >= last)
      last = padded
      sizes.insert(padded)
    }
    #expect(Envelope.padme(9) == 10)
    #expect(sizes.count < 250)
    #expect(Envelope.paddedSize(1) == 512)
    #expect(Envelope.paddedSize(513) == 544)
  }

  @Test func `paths are written in one way, and nothing else is one`() {
    let paths: [(SyncPath, String)] = [
      (.key(number: 1, FileName(number: 0xabc)), "keys/000001-0000000000000abc.age"),
      (.key(number: 1_234_567, FileName(number: 0)), "keys/1234567-0000000000000000.age"),
      (
        .manifest(DeviceName(number: .max), counter: 42),
        "devices/ffffffffffffffff-0000000042.age"
      ),
      (Self.path, "sources/00000000000000010000000000000002-0000000000000003.age"),
      (.backup(FileName(number: 0x10)), "backups/0000000000000010.age"),
    ]
    for (path, text) in paths {
      #expect(path.description == text)
      #expect(SyncPath(folder: path.folder, name: path.name) == path)
    }
    let wrong = [
      ("keys", "0000001-0000000000000abc.age"), ("keys", "000001-0000000000000ABC.age"),
      ("keys", "+00001-0000000000000abc.age"), ("keys", "000001-0000000000000abc"),
      ("keys", "000001-0000000000000abc.AGE"), ("keys", "-0000000000000abc.age"),
      ("devices", "000001-0000000000000abc.age"), ("backups", "10.age"),
      ("backups", "0000000000000010-.age"), ("other", "0000000000000010.age"),
      ("sources", "0000000000000001000000000000000-0000000000000003.age"),
      ("devices", "ffffffffffffffff-99999999999999999999.age"), ("keys", ".age"), ("keys", ""),
    ]
    for (folder, name) in wrong {
      #expect(SyncPath(folder: folder, name: name) == nil, "\(folder)/\(name)")
    }
  }
}
