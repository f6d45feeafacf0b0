import GeoStore

/// Reads every file of backups.
package struct BackupVerification: Sendable {
  /// One backup, and what is wrong with it.
  package struct Finding: Sendable {
    /// The backup.
    package let entry: BackupCatalog.Entry
    /// Its files that are missing or damaged, in order.
    package let problems: [BackupProblem]
  }

  /// The backups that were read.
  package private(set) var findings: [Finding] = []
  /// Number of source files that were read.
  package private(set) var filesRead = 0
  /// The source files of the backups.
  let paths: Set<SyncPath>
  /// Those of them whose bytes changed since they were written.
  package private(set) var damaged: Set<SyncPath> = []

  /// What a file contains.
  private enum Contents {
    case missing
    case damaged(String)
    case digests(row: Digest?, piece: Digest?, count: UInt64)
  }

  /// Reads all files of backups, each once, and compares their contents with what the backups say.
  ///
  /// - Throws: `CancellationError`.
  package init(
    _ entries: [BackupCatalog.Entry], of catalog: BackupCatalog, in files: any SyncFiles
  ) throws {
    var wanted: [SyncPath: UInt64] = [:]
    for entry in entries { wanted.merge(entry.manifest.files) { first, _ in first } }
    paths = Set(wanted.keys)
    WorkMeter.current?.begin(.readingFiles, of: wanted.count)
    var contents: [SyncPath: Contents] = [:]
    for path in wanted.keys.sorted(by: { $0.description < $1.description }) {
      try Cancellation.current?.check()
      do {
        contents[path] = try Self.contents(of: path, in: files, catalog.list)
      } catch {
        contents[path] = .damaged("\(error)")
        if SyncFileError.isDamage(error) { damaged.insert(path) }
      }
      if catalog.list.sizes[path] != nil { filesRead += 1 }
      WorkMeter.current?.add(1)
    }
    for entry in entries {
      findings.append(
        Finding(entry: entry, problems: Self.problems(of: entry, contents, catalog.list)))
    }
  }

  /// Whether all files of all backups are right.
  package var isSound: Bool { findings.allSatisfy(\.problems.isEmpty) }

  private static func contents(
    of path: SyncPath, in files: any SyncFiles, _ list: FileList
  ) throws -> Contents {
    guard list.sizes[path] != nil, case .source(_, let name) = path else { return .missing }
    let bytes = try files.payloads(of: path).first { files.name(ofPayload: $0) == name }
    guard let bytes else { throw SyncFormatError(.notAuthentic, in: "source", at: 0) }
    let payload = try SourcePayload(bytes: bytes)
    if let row = payload.row { _ = try RowContent.record(row, withheld: 0) }
    // Unpacks all fixes.
    let count = try payload.piece.map { piece in
      UInt64(try piece.fixes().count + piece.tiles.reduce(0) { $0 + $1.cells })
        + UInt64(try piece.brought().regions.count)
    }
    return .digests(
      row: payload.row.map { Digest(of: $0) }, piece: payload.piece?.digest, count: count ?? 0)
  }

  private static func problems(
    of entry: BackupCatalog.Entry, _ contents: [SyncPath: Contents], _ list: FileList
  ) -> [BackupProblem] {
    var problems: [SyncPath: BackupProblem] = [:]
    func check(
      _ file: FileReference, of name: SourceName, _ isRight: (Digest?, Digest?, UInt64) -> Bool
    ) {
      let path = SyncPath.source(name, file.name)
      switch contents[path] ?? .missing {
      case .damaged(let reason):
        problems[path] = BackupProblem(path, .damaged(reason))
      case .digests(let row, let piece, let count) where list.has(path, byteCount: file.byteCount):
        if !isRight(row, piece, count) {
          problems[path] = BackupProblem(path, .damaged("it has other contents"))
        }
      case .missing, .digests: problems[path] = BackupProblem(path, .missing)
      }
    }
    for case (let name, .present(let source)) in entry.manifest.state.sources {
      check(source.row.file, of: name) { row, _, _ in row == source.row.digest }
      for version in source.pieces.flatMap(\.alternatives) {
        check(version.file, of: name) { _, piece, count in
          piece == version.digest && count == version.count
        }
      }
    }
    return problems.values.sorted { $0.path.description < $1.path.description }
  }
}
