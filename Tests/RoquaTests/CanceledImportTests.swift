import Foundation
import Geodesy
import TestSupport
import Testing

@testable import GeoStore
@testable import Roqua
@testable import SQLiteLayer

/// Async imports that are canceled while they wait for their turn. What they wait for is released
/// afterwards.
@Suite struct CanceledImportTests {
  private let folder: TemporaryFolder
  private let explorer: Explorer
  private let file: URL

  init() throws {
    folder = try TemporaryFolder()
    explorer = try Explorer(storePath: folder.file("s.roqua"))
    try explorer.store.write { _ in }
    let text = TrackText.gpx(from: Coordinate(48, 8), count: 20)
    file = URL(filePath: try folder.write(text, to: "a.gpx"))
  }

  private func expectCanceled() async throws {
    let (explorer, file, meter) = (explorer, file, ImportMeter())
    let results = await canceled { try await explorer.importTracks(at: [file], meter: meter) }
    let report = try #require(results.first).get()
    #expect(report.isCancelled && report.failure == nil && report.count(.imported) == 0)
    #expect(report.files.isEmpty && meter.reading.isFinished)
  }

  /// - Parameter isOther: whether the writer is like one of another process.
  @Test(arguments: [false, true])
  func `a canceled import does not wait for another writer`(isOther: Bool) async throws {
    let store =
      isOther ? try Store(path: explorer.store.path, creating: false) : explorer.store
    let holder = Holders(1) { hold in
      try? store.write { session in
        hold()
        session.cancel()
      }
    }
    try #require(holder.wait())
    try await expectCanceled()
    holder.release()
    holder.end()
    #expect(try await explorer.sources().isEmpty)
    #expect(try await explorer.importTracks(at: [file]).count(.imported) == 1)
  }

  @Test func `a canceled import does not wait for a reader`() async throws {
    let store = explorer.store
    let holders = Holders(ReaderPool.maximumReaderCount) { hold in
      try? store.read { _ in hold() }
    }
    try #require(holders.wait())
    try await expectCanceled()
    holders.release()
    holders.end()
    #expect(try await explorer.importTracks(at: [file]).count(.imported) == 1)
  }

  @Test func `an import under work that is canceled is canceled`() throws {
    let work = Cancellation()
    work.cancel()
    let report = try Cancellation.$current.withValue(work) {
      try explorer.importTracks([file.path])
    }
    #expect(report.isCancelled && report.failure == nil && report.files.isEmpty)
  }

  @Test func `an import that is canceled after its last file is complete`() throws {
    // On a busy computer, the file may be stored before it is known to be the last of its path.
    for attempt in 1...10 {
      let explorer = try Explorer(storePath: folder.file("\(attempt).roqua"))
      let work = Cancellation()
      var options = ImportOptions()
      options.cancellation = work
      options.onFile = { _, _, _ in work.cancel() }
      let report = try explorer.importTracks([file.path], options: options)
      #expect(report.count(.imported) == 1 && report.failure == nil && work.isCancelled)
      if report.isCancelled, attempt < 10 { continue }
      #expect(!report.isCancelled)
      return
    }
  }

  @Test func `the stored report of an import has no bounds`() async throws {
    let report = try await explorer.importTracks(at: [file])
    #expect(report.json.description.contains(#""bounds":{"south""#))
    let stored = try await explorer.store.read { snapshot in
      try snapshot.connection.text("SELECT report FROM sources")
    }
    let text = try #require(stored)
    #expect(text.contains(#""kept":"#) && !text.contains("bounds"))
  }
}
