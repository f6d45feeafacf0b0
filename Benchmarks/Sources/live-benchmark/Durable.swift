import BareRows
import BenchmarkSupport
import Foundation
import Geodesy
import Roqua

/// Fixes a second that are durable: recorded into a store, and as rows of a bare table.
enum DurableRates {
  /// Records fixes that are all kept into a new store, `batch` of them with each call.
  static func recorded(_ fixes: [Fix], batch: Int, at path: String) async throws -> Double {
    let explorer = try Explorer(storePath: path, durability: .full)
    let recording = try await explorer.startRecording(named: "walk", minimumIntervalSeconds: 0)
    let start = ContinuousClock.now
    var index = 0
    while index < fixes.count {
      let end = min(index + batch, fixes.count)
      // As in `roqua live`: a call for each fix, or for all that came together.
      if batch == 1 {
        try await recording.add(fixes[index])
      } else {
        try await recording.add(Array(fixes[index..<end]))
      }
      index = end
    }
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    let report = try await recording.finish()
    check(report.kept == fixes.count, "\(report.kept) of \(fixes.count) fixes kept")
    return Double(fixes.count) / seconds
  }

  /// Syncs a second of the disk: no more transactions can be durable, one after another.
  static func syncs(_ count: Int, at path: String) -> Double {
    let seconds = bare_syncs(path, count)
    if seconds < 0 { fail("\(path): cannot be written") }
    return Double(count) / seconds
  }

  /// Writes the same fixes as rows of a bare table, `batch` of them in each transaction.
  static func bare(_ fixes: [Fix], batch: Int, at path: String) -> Double {
    let rows = fixes.map {
      bare_row(
        milliseconds: $0.time?.millisecondsSince1970 ?? 0, latitude_e7: $0.coordinate.latitudeE7,
        longitude_e7: $0.coordinate.longitudeE7)
    }
    var message: UnsafePointer<CChar>?
    let seconds = bare_rows_write(path, rows, rows.count, batch, &message)
    if seconds < 0 { fail("SQLite: " + (message.map { String(cString: $0) } ?? "failed")) }
    return Double(fixes.count) / seconds
  }
}
