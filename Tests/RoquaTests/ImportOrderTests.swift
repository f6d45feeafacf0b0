import GeoStore
import Geodesy
import TestSupport
import Testing
import TrackIngest

@testable import Roqua

/// The result of an import does not depend on the order of the files, on importing twice, or on the
/// number of runs.
@Suite struct ImportOrderTests {
  @Test(arguments: Seeds.sample(5))
  func `importing files in another order gives the same cells and area`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let (one, other) = (try Fixture(), try Fixture())
    var paths = try PackageFolder.allSamples()
    // Two tracks over the same area as the samples.
    for (index, start) in [Coordinate(48.567, 7.79), Coordinate(-33.91, 18.41)].enumerated() {
      let text = TrackText.gpx(from: start, count: 25, stepDegrees: 0.000_9)
      paths.append(try one.folder.write(text, to: "\(index).gpx"))
    }
    _ = try one.explorer.importTracks(paths)
    _ = try other.explorer.importTracks(paths.shuffled(using: &random))
    let (left, right) = (try one.explorer.statistics(), try other.explorer.statistics())
    #expect(try one.explorer.coverage() == other.explorer.coverage())
    #expect(left.cells == right.cells)
    #expect(left.areaSquareKilometers == right.areaSquareKilometers)
    #expect(left.landAreaSquareKilometers == right.landAreaSquareKilometers)
    #expect(left.counts.keptFixes == right.counts.keptFixes)
  }

  @Test func `importing the same files twice changes nothing`() throws {
    let fixture = try Fixture()
    let first = try fixture.explorer.importTracks([PackageFolder.samples])
    let before = try fixture.explorer.statistics(by: [.country, .day]).json()
    let contents = try fixture.explorer.contents()
    let again = try fixture.explorer.importTracks([PackageFolder.samples])
    #expect(first.files.allSatisfy { $0.status == .imported })
    #expect(again.files.allSatisfy { $0.status == .duplicate })
    #expect(again.files.map(\.sha256) == first.files.map(\.sha256))
    #expect(again.changes == SourceChanges())
    #expect(again.kept == 0 && again.points == 0)
    #expect(try fixture.explorer.statistics(by: [.country, .day]).json() == before)
    #expect(try fixture.explorer.contents() == contents)
  }

  @Test func `importing all files in one run equals one run per file`() throws {
    let (one, many) = (try Fixture(), try Fixture())
    let together = try one.explorer.importTracks([PackageFolder.samples])
    var changes = SourceChanges()
    for (index, path) in try PackageFolder.allSamples().enumerated() {
      let report = try many.explorer.importTracks([path])
      #expect(report.files == [together.files[index]])
      changes = changes + report.changes
    }
    #expect(changes == together.changes)
    #expect(try one.explorer.contents() == many.explorer.contents())
    #expect(try one.explorer.coverage() == many.explorer.coverage())
    #expect(
      try one.explorer.statistics(by: [.country]).json()
        == many.explorer.statistics(by: [.country]).json())
  }

  @Test func `the same ride from a second device adds no visit`() throws {
    let fixture = try Fixture()
    let text = TrackText.gpx(from: Coordinate(48.5, 8), count: 40)
    let first = try fixture.folder.write(text, to: "first.gpx")
    let second = try fixture.folder.write(text + "<!-- another device -->", to: "second.gpx")
    _ = try fixture.explorer.importTracks([first])
    let before = try fixture.explorer.allRegions()
    let report = try fixture.explorer.importTracks([second])
    #expect(report.files.map(\.status) == [.imported])
    #expect(report.changes.kept == 40)
    #expect(report.changes.regionsAdded == 0)
    #expect(report.changes.regionsRevisited == before.count)
    #expect(report.changes.cellsAdded == 0)
    let after = try fixture.explorer.allRegions()
    #expect(after.map(\.visitCount) == before.map(\.visitCount))
  }

  @Test func `a preview reports the same tracks as the import that follows`() throws {
    let fixture = try Fixture()
    let preview = Explorer.preview([PackageFolder.samples])
    let report = try fixture.explorer.importTracks([PackageFolder.samples])
    #expect(preview.files.map(\.track) == report.files.map(\.track))
    #expect(preview.files.map(\.sha256) == report.files.map(\.sha256))
    #expect(preview.changes == SourceChanges())
  }

  @Test func `a meter ends at the total number of files, bytes and points`() throws {
    let fixture = try Fixture()
    var options = ImportOptions()
    options.meter = ImportMeter()
    // In the second run every file is hashed and none is decoded.
    for isKnown in [false, true] {
      let meter = ImportMeter()
      options.meter = meter
      let report = try fixture.explorer.importTracks([PackageFolder.samples], options: options)
      #expect(report.count(isKnown ? .duplicate : .imported) > 3)
      let reading = meter.reading
      #expect(reading.filesDone == reading.filesFound)
      #expect(reading.filesFound >= report.files.count)
      #expect(reading.bytesFound.map { $0 > 1_000 } == true)
      #expect(reading.bytesRead == reading.bytesFound)
      #expect(reading.share == 1)
      #expect(reading.points == report.points)
    }
  }

  @Test func `each file is reported once, in order`() throws {
    let fixture = try Fixture()
    let heard = Heard()
    var options = ImportOptions()
    options.onFile = { report, _, count in heard.take(report.path, count) }
    let report = try fixture.explorer.importTracks([PackageFolder.samples], options: options)
    #expect(heard.paths == report.files.map(\.path))
    #expect(heard.counts.allSatisfy { $0 == report.files.count })
  }

  /// Unchecked: only the importing thread calls this, and that is the test's own thread.
  private final class Heard: @unchecked Sendable {
    var paths: [String] = []
    var counts: [Int] = []
    func take(_ path: String, _ count: Int) {
      paths.append(path)
      counts.append(count)
    }
  }
}
