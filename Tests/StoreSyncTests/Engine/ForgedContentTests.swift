import Foundation
import SQLiteLayer
import TestSupport
import Testing

@testable import GeoStore
@testable import StoreSync

/// Files whose encryption is right, but that are not what a device of this program writes.
@Suite struct ForgedContentTests {
  /// What is wrong with a source.
  enum Forgery: CaseIterable {
    /// A column of its row is NULL that no store has so.
    case nullColumn
    /// The row is that of another source.
    case otherRow
    /// The manifest states another digest of the row.
    case rowDigest
    /// The manifest states another digest of the piece.
    case pieceDigest
    /// The manifest states another number of fixes.
    case pieceCount
  }

  private let devices: SharingDevices
  private let replica = Replica()
  private let (a, b): (Store, Store)
  private let first = DeviceName(number: 1)
  private let second = DeviceName(number: 2)

  init() throws {
    devices = try SharingDevices()
    (a, b) = (try devices.store("a"), try devices.store("b"))
  }

  private func sync(_ store: Store, as device: DeviceName) throws -> SyncReport {
    try SyncRun(store, with: replica, now: SharingDevices.now).run(as: (device, "\(device)"))
  }

  /// Returns the manifest of the first device.
  private func manifest() throws -> Manifest {
    let path = replica.visible.first { path in
      if case .manifest(first, _) = path { true } else { false }
    }
    return try Manifest(payload: replica.payloads(of: #require(path))[0])
  }

  /// Writes the row of a source into a file, and names that.
  private func forge(
    _ columns: [DatabaseValue], in source: inout PresentSource, of name: SourceName
  ) throws {
    let there = try replica.source(source.row.file, of: name).payload
    let payload = SourcePayload(row: RowContent.bytes(of: columns), piece: there.piece).bytes
    let file = replica.reference(to: payload)
    try replica.write(payload, to: .source(name, file.name))
    source.row = RowState(
      revision: source.row.revision, digest: Digest(of: RowContent.bytes(of: columns)), file: file)
  }

  private func forge(_ forgery: Forgery, in source: inout PresentSource, of name: SourceName) throws
  {
    let row = try #require(try replica.source(source.row.file, of: name).payload.row)
    var columns = try RowContent.values(row)
    var version = source.pieces[0].alternatives[0]
    switch forgery {
    case .nullColumn:
      columns[1] = .null
      try forge(columns, in: &source, of: name)
    case .otherRow:
      columns[0] = .text(String(repeating: "f", count: 64))
      try forge(columns, in: &source, of: name)
    case .rowDigest: source.row.digest = Digest(high: 1, low: 2)
    case .pieceDigest: version.digest = Digest(high: 1, low: 2)
    case .pieceCount: version.count += 1
    }
    source.pieces[0] = PieceState(position: source.pieces[0].position, version: version)
  }

  @Test(arguments: Forgery.allCases)
  func `is reported and left out, and what is right is taken`(forgery: Forgery) throws {
    try devices.add(100, to: a, as: "1", seed: 1)
    try devices.add(100, to: a, as: "2", seed: 2)
    _ = try sync(a, as: first)
    let right = try manifest()
    var forged = right
    forged.counter += 1
    let name = replica.name(ofSource: String(repeating: "1", count: 64))
    guard case .present(var source) = forged.state.sources[name] else { throw Missing() }
    try forge(forgery, in: &source, of: name)
    forged.state.sources[name] = .present(source)
    try replica.write(forged.payload, to: .manifest(first, counter: forged.counter))

    let report = try sync(b, as: second)
    #expect(report.changes.sourcesAdded == 1 && report.changes.fixesAdded == 100)
    let path = SyncPath.source(name, source.row.file.name)
    #expect(report.pending.map(\.path) == [path])
    guard case .unreadable = report.pending.first?.reason else {
      Issue.record("\(report.pending)")
      return
    }
    #expect(try b.check().isSound)
    // It is reported each time, and changes nothing.
    let again = try sync(b, as: second)
    #expect(again.pending.map(\.path) == [path] && !again.wroteManifest)

    // What counts more brings the source.
    var next = right
    next.counter += 2
    guard case .present(var mended) = next.state.sources[name] else { throw Missing() }
    mended.generation += 1
    next.state.sources[name] = .present(mended)
    try replica.write(next.payload, to: .manifest(first, counter: next.counter))
    let last = try sync(b, as: second)
    #expect(last.changes.sourcesAdded == 1 && last.pending == [])
    #expect(try SharedContents(a).differences(from: SharedContents(b)) == [])
  }

  private struct Missing: Error {}
}
