import Foundation
import Geodesy
import TestSupport
import Testing

@testable import GeoStore
@testable import SQLiteLayer

/// Reports in rows that came from other devices.
@Suite struct ReportOfOtherDeviceTests {
  @Test func `a report from before its device knew a zone is removed, and others stay`() throws {
    let folder = try TemporaryFolder()
    var options = StoreOptions()
    options.reportMembers = { text in
      let object = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
      return object?.mapValues { "\($0)" }
    }
    let store = try Store(path: folder.file("s.sqlite"), creating: true, options: options)
    _ = try store.addZone(
      PrivacyZone(center: Coordinate(47, 8), radiusMeters: 300), named: "home")
    let fixes = [10.0, 11].map {
      KeptFix(coordinate: Coordinate($0, 1), time: nil, accuracyMeters: nil, startsSegment: true)
    }
    let rows: [(report: String, isWithheld: Bool)] = [
      (#"{"kept":3}"#, true), (#"{"kept":2}"#, true), (#"{"kept":3}"#, false), ("text", true),
      ("{}", true),
    ]
    try store.write { session in
      for (index, row) in rows.enumerated() {
        var source = SourceDescription.sample("\(index)", of: fixes)
        (source.report, source.isWithheld) = (row.report, row.isWithheld)
        let writer = try session.beginSource()
        try writer.append(fixes)
        _ = try writer.finish(source)
      }
      try session.fitRowsToZones(of: 1...5, withheld: [])
    }
    let reports = try store.read { snapshot in
      let select = try Statement("SELECT report FROM sources ORDER BY id", on: snapshot.connection)
      var reports: [String] = []
      while try select.step() { reports.append(select.text(at: 0) ?? "") }
      return reports
    }
    #expect(reports == ["{}"] + rows.dropFirst().map(\.report))
  }
}
