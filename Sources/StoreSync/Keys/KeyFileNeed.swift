/// Whether a device should write a key file.
///
/// A device that was added by one file cannot read another that was written at the same time
/// without knowledge of it. If the writer of the file that says everything was added by that other
/// one, the device does not believe it. So somebody whom it knows has to write it again.
struct KeyFileNeed {
  private let files: [(file: KeyFile, recipients: Set<PublicKey>)]

  /// Considers the files that are believed.
  init(_ files: [KeyFile]) { self.files = files.map { ($0, Set($0.ring.recipients)) } }

  /// Whether a device should write this key ring.
  func isThere(for ring: KeyRing, by own: PublicKey?) -> Bool {
    let writers = Set(files.filter { $0.file.ring == ring }.map(\.file.writer))
    guard !writers.isEmpty else { return true }
    guard let own else { return false }
    return ring.recipients.contains { reader in
      isKnown(own, to: reader) && !writers.contains { isKnown($0, to: reader) }
    }
  }

  /// Whether the files that a reader can read have a writer as a device or as the recovery key. If
  /// all of them are by this writer, it is the one that added the reader.
  private func isKnown(_ writer: PublicKey, to reader: PublicKey) -> Bool {
    let others = files.filter { $0.recipients.contains(reader) && $0.file.writer != writer }
    return writer == reader || others.isEmpty
      || others.contains { $0.recipients.contains(writer) }
  }
}
