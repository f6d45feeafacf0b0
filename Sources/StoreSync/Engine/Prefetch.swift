import GeoStore

/// Reads the source files that a sync needs before the store is locked, and finds those that cannot
/// be believed.
struct Prefetch {
  /// The files that cannot be believed, and why.
  private(set) var unreadable: [SyncPath: String] = [:]
  /// Those of them that seem damaged, rather than being out of reach.
  private(set) var damaged: Set<SyncPath> = []
  /// Number of files read.
  private(set) var filesRead = 0
  /// Payloads that were read, up to ``mostBytes``; the others are read again when their turn comes.
  private(set) var payloads: [SyncPath: SourcePayload] = [:]
  private var bytesLeft = Self.mostBytes
  private let files: any SyncFiles
  private let list: FileList

  /// The most bytes of payloads that are kept in memory: those of some ten million fixes.
  private static let mostBytes = 64 << 20

  /// Reads the files of everything that is known and that the store lacks.
  ///
  /// - Throws: `CancellationError`.
  init(_ local: LocalState, _ list: FileList, files: any SyncFiles) throws {
    (self.files, self.list) = (files, list)
    let needed = Self.files(neededBy: local, list)
    WorkMeter.current?.begin(.readingFiles, of: needed.count)
    for (name, file) in needed {
      try Cancellation.current?.check()
      read(file, of: name)
      WorkMeter.current?.add(1)
    }
  }

  /// The files that are there and that the store needs, in the order of their names.
  private static func files(
    neededBy local: LocalState, _ list: FileList
  ) -> [(name: SourceName, file: FileReference)] {
    var needed: [(name: SourceName, file: FileReference)] = []
    for (name, state) in local.shared.sources {
      guard case .present(let source) = state else { continue }
      let held = local.held[name].flatMap { $0.generation == source.generation ? $0 : nil }
      var files: Set<FileReference> = []
      if held?.row != source.row.digest { files.insert(source.row.file) }
      for (number, piece) in source.pieces.enumerated() {
        let content = held.flatMap { number < $0.pieces.count ? $0.pieces[number].content : nil }
        if content != nil, piece.version?.digest == content { continue }
        for version in piece.alternatives where version.digest != content {
          files.insert(version.file)
        }
      }
      for file in files.sorted()
      where list.has(.source(name, file.name), byteCount: file.byteCount) {
        needed.append((name, file))
      }
    }
    return needed.sorted { ($0.name, $0.file) < ($1.name, $1.file) }
  }

  private mutating func read(_ file: FileReference, of name: SourceName) {
    let path = SyncPath.source(name, file.name)
    do {
      filesRead += 1
      let (payload, byteCount) = try files.source(file, of: name)
      try payload.validate()
      guard byteCount <= bytesLeft else { return }
      bytesLeft -= byteCount
      payloads[path] = payload
    } catch {
      unreadable[path] = "\(error)"
      if SyncFileError.isDamage(error) { damaged.insert(path) }
    }
  }
}

extension SyncFiles {
  /// Returns what a source file says, and its number of bytes.
  ///
  /// - Throws: any error; the file is then not believed.
  func source(
    _ file: FileReference, of name: SourceName
  ) throws -> (payload: SourcePayload, byteCount: Int) {
    let payloads = try payloads(of: .source(name, file.name))
    guard let bytes = payloads.first(where: { self.name(ofPayload: $0) == file.name }) else {
      throw SyncFormatError(.notAuthentic, in: "source", at: 0)
    }
    return (try SourcePayload(bytes: bytes), bytes.count)
  }
}

extension SourcePayload {
  /// Reads everything that the payload contains, so that nothing in it fails when it is stored.
  ///
  /// - Throws: the first problem.
  func validate() throws {
    if let row { _ = try RowContent.record(row, withheld: 0) }
    guard let piece else { return }
    _ = try piece.brought()
    for chunk in piece.chunks { _ = try chunk.fixes() }
  }
}
