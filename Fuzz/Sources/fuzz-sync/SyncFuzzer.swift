import FuzzSupport

@testable import StoreSync

/// The bytes and names of a sync folder, and what a store keeps about it: any bytes are refused or
/// have a meaning, which is written again and read as the same. What devices exchange is the only
/// form of its meaning, so it is written in the same bytes.
///
/// The choice, modulo 10, selects what the bytes are: a manifest, a backup, a source file, a key
/// ring, a key file, an envelope, the name of a file, the state of a store, a row, a key as text.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzSync(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let input = FuzzInput(start, count)
  let bytes = input.body
  switch input.choice % 10 {
  case 0: checkForm(bytes, "a manifest", Manifest.init(payload:), \Manifest.payload)
  case 1: checkForm(bytes, "a backup", BackupManifest.init(payload:), \BackupManifest.payload)
  case 2: checkForm(bytes, "a source file", SourcePayload.init(bytes:), \SourcePayload.bytes)
  case 3: checkForm(bytes, "a key ring", KeyRing.init(payload:), \KeyRing.payload)
  case 4: checkForm(bytes, "a key file", KeyFilePayload.init(bytes:), \KeyFilePayload.bytes)
  case 5: checkEnvelope(bytes)
  case 6: checkName(bytes)
  case 7: checkMeaning(bytes, "a state", LocalState.init(bytes:), \LocalState.bytes)
  case 8: checkRow(bytes)
  default: checkKey(String(decoding: bytes, as: UTF8.self))
  }
  return 0
}

/// Checks bytes that are the only form of their meaning.
private func checkForm<Value: Equatable>(
  _ bytes: [UInt8], _ name: String, _ read: ([UInt8]) throws -> Value,
  _ write: (Value) -> [UInt8]
) {
  guard let written = checkMeaning(bytes, name, read, write) else { return }
  requireEqual(written, bytes, "\(name) read and written")
}

/// Checks that a meaning survives being written, and returns what is written.
@discardableResult
private func checkMeaning<Value: Equatable>(
  _ bytes: [UInt8], _ name: String, _ read: ([UInt8]) throws -> Value,
  _ write: (Value) -> [UInt8]
) -> [UInt8]? {
  guard let value = try? read(bytes) else { return nil }
  let written = write(value)
  guard let same = try? read(written) else { fatalError("\(name) that was written is refused") }
  require(same == value, "\(name) that was written means something else")
  return written
}

/// An envelope is written again in the same bytes, except for the code, and is authentic exactly if
/// the code is the same, too.
private func checkEnvelope(_ bytes: [UInt8]) {
  guard let envelope = try? Envelope(bytes) else { return }
  let (key, name) = ([UInt8](repeating: 7, count: 32), FileName(number: 3))
  let path: SyncPath =
    switch envelope.kind {
    case .key: .key(number: 1, name)
    case .manifest: .manifest(DeviceName(number: 5), counter: 1)
    case .source: .source(SourceName(high: 1, low: 2), name)
    case .backup: .backup(name)
    }
  let written = Envelope.bytes(of: envelope.payload, at: path, key: key)
  requireEqual(Array(written[..<6]), Array(bytes[..<6]), "the head of an envelope")
  requireEqual(Array(written[38...]), Array(bytes[38...]), "the content of an envelope")
  guard let same = try? Envelope(written) else { fatalError("a written envelope is refused") }
  require(isAuthentic(same, path, key), "a written envelope is not authentic")
  require(isAuthentic(envelope, path, key) == (written == bytes), "another code is authentic")
}

private func isAuthentic(_ envelope: Envelope, _ path: SyncPath, _ key: [UInt8]) -> Bool {
  do throws(SyncFormatError) {
    try envelope.authenticate(path, key: key)
    return true
  } catch {
    return false
  }
}

/// A name, after that of its folder and a slash, stands for a file of this folder or for none. The
/// name of a file is recognized, and so is that of a copy of it.
private func checkName(_ bytes: [UInt8]) {
  let parts = bytes.split(
    separator: UInt8(ascii: "/"), maxSplits: 1, omittingEmptySubsequences: false)
  guard parts.count == 2 else { return }
  let folder = String(decoding: parts[0], as: UTF8.self)
  let name = String(decoding: parts[1], as: UTF8.self)
  let found = FoundName(name, in: folder)
  switch found {
  case .file(let path), .copy(let path), .placeholder(let path), .arriving(let path):
    require(path.folder == folder, "\(path) is in \(folder)")
    require(SyncPath(folder: path.folder, name: path.name) == path, "\(path) is another path")
    let copy = path.copyName(by: DeviceName(number: 9))
    require(FoundName(copy, in: folder) == .copy(path), "\(copy) is no copy")
  case .partial, .ignored, .unknown: break
  }
  if let path = SyncPath(folder: folder, name: name) {
    require(path.name == name && found == .file(path), "\(path) is \(found)")
  }
}

/// The columns of a source: any values, of which a text may have been repaired.
private func checkRow(_ bytes: [UInt8]) {
  _ = try? RowContent.record(bytes, withheld: 0)
  guard let values = try? RowContent.values(bytes) else { return }
  let same = try? RowContent.values(RowContent.bytes(of: values))
  require(same == values, "a row that was written means something else")
}

/// Keys as people copy them.
private func checkKey(_ text: String) {
  if let key = try? PublicKey(text: text) {
    let same = (try? key.text()).flatMap { try? PublicKey(text: $0) }
    require(same == key, "a public key that was written is another one")
  }
  if let key = try? SecretKey(text: text) {
    let same = (try? key.text()).flatMap { try? SecretKey(text: $0) }
    require(same == key, "a secret key that was written is another one")
  }
}
