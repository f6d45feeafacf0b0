import Geodesy
import TestSupport
import Testing
import TrackIngest

@testable import Roqua

/// Archives in the shapes in which vendors hand out a person's data, as their help pages and public
/// descriptions of them say. All contents are generated.
@Suite struct VendorArchiveTests {
  private let fixture: Fixture
  private let folder: TemporaryFolder

  init() throws {
    fixture = try Fixture()
    folder = try TemporaryFolder()
  }

  private typealias Files = [(name: String, bytes: [UInt8])]

  private static func zip(_ files: Files) -> [UInt8] {
    ZipBuilder(files.map { ZipBuilder.File($0.name, $0.bytes) }).build().bytes
  }

  private static func text(_ text: String) -> [UInt8] { Array(text.utf8) }

  private static func gpx(_ latitude: Double) -> [UInt8] {
    text(TrackText.gpx(from: Coordinate(latitude, 8), count: 5))
  }

  private static let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0, 0, 16]

  /// Imports an archive in a folder, and compares the names and points of its tracks and the kinds
  /// of all other files.
  private func expect(
    _ files: Files, tracks: [(String, Int)], ignored: [String: Int],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    try folder.write(Self.zip(files), to: "in/export.zip")
    let report = try fixture.explorer.importTracks([folder.file("in")])
    let found = report.files.map { file in
      "\(file.path.dropFirst(folder.file("in/export.zip/").count)) "
        + "\(file.status) \(file.track.points)"
    }
    #expect(found == tracks.map { "\($0.0) imported \($0.1)" }, sourceLocation: sourceLocation)
    #expect(report.ignoredKinds == ignored, sourceLocation: sourceLocation)
    #expect(report.ignored == ignored.values.reduce(0, +), sourceLocation: sourceLocation)
  }

  private static let settings = text(
    "{\"createdTime\":\"2015-01-01T00:00:00Z\",\"modifiedTime\":\"2024-01-01T00:00:00Z\","
      + "\"historyEnabled\":true,\"deviceSettings\":[{\"deviceTag\":1}]}")

  private static let reviews = text(
    "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"geometry\":{\"type\":"
      + "\"Point\",\"coordinates\":[6.1,46.2]},\"properties\":{\"date\":\"2020-01-01T00:00:00Z\","
      + "\"google_maps_url\":\"http://example.org\",\"location\":{\"name\":\"A café\"}}}]}")

  private static let month = text(
    "{\"timelineObjects\":[{\"placeVisit\":{\"location\":{\"latitudeE7\":500000000,\"longitudeE7\":"
      + "80000000},\"duration\":{\"startTimestamp\":\"2019-05-01T10:00:00Z\",\"endTimestamp\":"
      + "\"2019-05-01T11:00:00Z\"}}}]}")

  @Test func `Google Takeout, in any language`() throws {
    let history = "Takeout/Standortverlauf (Zeitachse)/"
    try expect(
      [
        ("Takeout/archive_browser.html", Self.text("<!DOCTYPE html><html></html>")),
        (history + "Datensätze.json", TrackBytes.records(6)),
        (history + "Settings.json", Self.settings),
        (history + "Tombstones.csv", Self.text("Tombstones\n")),
        (history + "Semantischer Standortverlauf/2019/2019_MAI.json", Self.month),
        ("Takeout/Maps (Meine Orte)/Rezensionen.json", Self.reviews),
        ("Takeout/Google Fotos/Fotos von 2019/IMG_1.jpg", Self.jpeg),
        ("Takeout/Google Fotos/Fotos von 2019/IMG_1.jpg.json", Self.text("{\"title\":\"IMG_1\"}")),
        ("Takeout/Fit/Activities/2019-05-01_Walking.tcx", TrackBytes.tcx(4, latitude: 20)),
      ],
      tracks: [
        (history + "Datensätze.json", 6),
        (history + "Semantischer Standortverlauf/2019/2019_MAI.json", 2),
        ("Takeout/Maps (Meine Orte)/Rezensionen.json", 0),
        ("Takeout/Fit/Activities/2019-05-01_Walking.tcx", 4),
      ], ignored: ["html": 1, "json": 2, "csv": 1, "jpg": 1])
  }

  @Test func `Strava`() throws {
    try expect(
      [
        (
          "activities.csv", Self.text("Activity ID,Activity Date,Activity Name\n1,\"May 1\",Ride\n")
        ),
        ("activities/1.fit.gz", Deflate.gzip(TrackBytes.fit(5))),
        ("activities/2.tcx.gz", Deflate.gzip(TrackBytes.tcx(6, latitude: 20))),
        ("activities/3.gpx.gz", Deflate.gzip(Self.gpx(30))), ("activities/4.gpx", Self.gpx(40)),
        ("media/1.jpg", Self.jpeg), ("media/2.jpg", Self.jpeg), ("profile.csv", Self.text("a,b\n")),
      ],
      tracks: [
        ("activities/1.fit.gz", 5), ("activities/2.tcx.gz", 6), ("activities/3.gpx.gz", 5),
        ("activities/4.gpx", 5),
      ], ignored: ["csv": 2, "jpg": 2])
  }

  @Test func `Garmin, whose activities are in archives in the archive`() throws {
    let uploads = "DI_CONNECT/DI-Connect-Uploaded-Files/UploadedFiles_0-_Part"
    try expect(
      [
        (
          uploads + "1.zip",
          Self.zip([
            ("a@example.com_1.fit", TrackBytes.fit(5)), ("a@example.com_2.txt", Self.text("note")),
          ])
        ),
        (
          uploads + "2.zip",
          Self.zip([
            ("a@example.com_3.tcx", TrackBytes.tcx(6, latitude: 20)),
            ("a@example.com_4.gpx", Self.gpx(30)),
          ])
        ),
        ("DI_CONNECT/DI-Connect-Fitness/a_0_summarizedActivities.json", Self.text("[{}]")),
        ("DI_CONNECT/DI-Connect-User/user_profile.json", Self.text("{}")),
        ("customer_data/customer.json", Self.text("{}")),
      ],
      tracks: [
        (uploads + "1.zip/a@example.com_1.fit", 5), (uploads + "2.zip/a@example.com_3.tcx", 6),
        (uploads + "2.zip/a@example.com_4.gpx", 5),
      ], ignored: ["txt": 1, "json": 3])
  }

  @Test func `Apple Health`() throws {
    let routes = "apple_health_export/workout-routes/route_2024-05-01_"
    try expect(
      [
        ("apple_health_export/export.xml", Self.text("<?xml version=\"1.0\"?><HealthData/>")),
        ("apple_health_export/export_cda.xml", Self.text("<ClinicalDocument/>")),
        (routes + "10.00am.gpx", Self.gpx(20)), (routes + "1.52pm.gpx", Self.gpx(30)),
        ("apple_health_export/electrocardiograms/ecg_2024-05-01.csv", Self.text("Name,A\n1\n2\n")),
      ], tracks: [(routes + "10.00am.gpx", 5), (routes + "1.52pm.gpx", 5)],
      ignored: ["xml": 2, "csv": 1])
  }

  @Test func `Polarsteps`() throws {
    try expect(
      [
        ("user/user.json", Self.text("{\"id\":1,\"first_name\":\"A\"}")),
        ("trip/alps_1/trip.json", Self.text("{\"id\":1,\"name\":\"Alps\",\"all_steps\":[]}")),
        ("trip/alps_1/locations.json", TrackBytes.polarsteps(5)),
        ("trip/alps_1/start_10/photos/0.jpg", Self.jpeg),
        ("trip/coast_2/locations.json", TrackBytes.polarsteps(3, latitude: 20)),
      ], tracks: [("trip/alps_1/locations.json", 5), ("trip/coast_2/locations.json", 3)],
      ignored: ["json": 2, "jpg": 1])
  }

  @Test func `Fitbit`() throws {
    let activities = "Fitbit/Activities/"
    try expect(
      [
        ("Fitbit/Global Export Data/exercise-0.json", Self.text("[{\"logId\":1,\"hasGps\":true}]")),
        ("Fitbit/Global Export Data/steps-2024-05-01.json", Self.text("[{\"value\":\"3\"}]")),
        (activities + "1.tcx", TrackBytes.tcx(5)),
        (activities + "2.tcx", TrackBytes.tcx(4, latitude: 20)),
        ("Fitbit/Heart Rate/zones.csv", Self.text("date,minutes\n2024-05-01,3\n")),
      ], tracks: [(activities + "1.tcx", 5), (activities + "2.tcx", 4)],
      ignored: ["json": 2, "csv": 1])
  }

  // MARK: - Advice

  @Test func `a Takeout without history says what to do on the phone, also in a folder`() throws {
    let files: Files = [
      ("Takeout/archive_browser.html", Self.text("<html></html>")),
      ("Takeout/Location History (Timeline)/Settings.json", Self.settings),
      ("Takeout/Location History (Timeline)/Encrypted Backups.txt", Self.text("none")),
    ]
    try folder.write(Self.zip(files), to: "in/takeout.zip")
    try folder.write(Self.zip([("takeout.zip", Self.zip(files))]), to: "nested.zip")
    for path in ["in/takeout.zip", "in", "nested.zip"] {
      let report = try fixture.explorer.importTracks([folder.file(path)])
      #expect(report.files.map(\.status) == [.refused])
      #expect(report.files.first?.track.error?.message.contains("on the phone") == true)
      #expect(report.files.first?.track.warnings.isEmpty == true)
    }
  }

  @Test func `a part of a Takeout is ignored if another part has the history`() throws {
    let settings = ("Takeout/Location History/Settings.json", Self.settings)
    let records = ("Takeout/Location History/Records.json", TrackBytes.records(3))
    try folder.write(Self.zip([settings]), to: "parts/takeout-001.zip")
    try folder.write(Self.zip([records]), to: "parts/takeout-002.zip")
    for status in [FileReport.Status.imported, .duplicate] {
      let report = try fixture.explorer.importTracks([folder.file("parts")])
      #expect(report.files.map(\.status) == [status])
      #expect(report.ignored == 1)
    }
  }

  @Test func `the advice is a warning with other tracks, and not given with the history`()
    throws
  {
    let settings = ("Takeout/Location History/Settings.json", Self.settings)
    let tcx = ("Takeout/Fit/a.tcx", TrackBytes.tcx(4))
    try folder.write(Self.zip([settings, tcx]), to: "without.zip")
    try folder.write(
      Self.zip([settings, tcx, ("Takeout/Location History/Records.json", TrackBytes.records(3))]),
      to: "with.zip")
    for _ in 1...2 {  // the second time the tracks are duplicates
      let without = try fixture.explorer.importTracks([folder.file("without.zip")])
      #expect(without.files.map { $0.track.warnings.map(\.code) } == [[.leftOut]])
      #expect(without.files.first?.track.warnings.first?.message.contains("on the phone") == true)
    }
    let with = try fixture.explorer.importTracks([folder.file("with.zip")])
    #expect(with.files.allSatisfy { $0.track.warnings.isEmpty })
  }
}
