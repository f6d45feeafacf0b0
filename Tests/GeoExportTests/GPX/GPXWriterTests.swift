import GeoExport
import Geodesy
import TestSupport
import Testing
import TrackIngest

@Suite struct GPXWriterTests {
  /// What a decoder reads: fixes by track and segment, and warnings.
  private struct Recorder: TrackSink {
    var tracks: [[[Fix]]] = []
    var warnings: [IngestWarning.Code] = []

    mutating func beginTrack() { tracks.append([]) }
    mutating func beginSegment() { tracks[tracks.count - 1].append([]) }
    mutating func fix(_ fix: Fix, line: Int) {
      let track = tracks.count - 1
      tracks[track][tracks[track].count - 1].append(fix)
    }
    mutating func warn(_ code: IngestWarning.Code, line: Int?, _ message: @autoclosure () -> String)
    {
      // Random times run backward.
      if code != .timeBackwards { warnings.append(code) }
    }
    mutating func beginRoute() { warnings.append(.leftOut) }
    mutating func skip(_ reason: SkipReason, line: Int) { warnings.append(.leftOut) }
    mutating func waypoint(_ fix: Fix, line: Int) { warnings.append(.leftOut) }
    mutating func routePoint(_ fix: Fix, line: Int) { warnings.append(.leftOut) }
  }

  private static func read(_ bytes: [UInt8]) -> Recorder {
    var (decoder, sink) = (
      GPXDecoder(now: Timestamp(millisecondsSince1970: 4_000_000_000_000)), Recorder()
    )
    bytes.withUnsafeBytes { decoder.decode($0, into: &sink) }
    #expect(decoder.finish(into: &sink) == nil)
    return sink
  }

  /// The fix of a feature.
  private static func fix(_ feature: ExportFeature) -> Fix {
    var fix = Fix(
      coordinate: Coordinate(feature.geometry.coordinates[1], feature.geometry.coordinates[0]))
    if case .time(let time) = feature.values[3] {
      fix.time = Timestamp(millisecondsSince1970: time)
    }
    if case .real(let meters) = feature.values[4] { fix.horizontalAccuracyMeters = meters }
    return fix
  }

  private static func layer(count: Int, seed: UInt64) -> TextSamples.Layer {
    TextSamples.layers(count: count, seed: seed).first { $0.layer.name == "fixes" }
      ?? TextSamples.Layer(layer: TextSamples.fixes, features: [])
  }

  @Test(arguments: Seeds.sample(20))
  func `An import reads the same tracks, segments, positions, times and accuracies`(seed: UInt64)
    throws
  {
    var layer = Self.layer(count: 60, seed: seed)
    var random = SplitMix64(seed: seed)
    for index in layer.features.indices where layer.features[index].values[4] != .null {
      let centimeters = Int.random(in: 1...4_294_967_295, using: &random)
      layer.features[index].values[4] = .real(Double(centimeters) / 100)
    }
    var expected: [[[Fix]]] = []
    var last: [ExportValue] = []
    for feature in layer.features {
      let (source, segment) = (feature.values[0], feature.values[2])
      if last.first != source {
        expected.append([[]])
      } else if last.last != segment {
        expected[expected.count - 1].append([])
      }
      last = [source, segment]
      let track = expected.count - 1
      expected[track][expected[track].count - 1].append(Self.fix(feature))
    }
    let read = Self.read(try LayerWriting.bytes(of: [layer]) { GPXWriter($0) }.bytes)
    #expect(read.tracks == expected)
    #expect(read.warnings.isEmpty)
  }

  @Test func `Tracks have the names of sources, and undated fixes no time`() throws {
    let layer = Self.layer(count: 60, seed: 3)
    let root = try XMLTree(parsing: try LayerWriting.text(of: [layer]) { GPXWriter($0) })
    var names: [String] = []
    for feature in layer.features {
      guard case .text(let name) = feature.values[1] else { continue }
      if names.last != name { names.append(name) }
    }
    #expect(root["trk"].map { $0["name"].first?.text } == names)
    let points = root.all("trkpt")
    #expect(points.count == layer.features.count)
    for (point, feature) in zip(points, layer.features) {
      #expect(point["time"].isEmpty == (feature.values[3] == .null))
      #expect(point["extensions"].isEmpty == (feature.values[4] == .null))
    }
  }

  @Test func `180 degrees east is 180 degrees west, as the schema has it`() throws {
    var feature = ExportFeature()
    feature.geometry.append(x: 180, y: 1)
    feature.values = TextSamples.fixes.fields.map { _ in .null }
    let layer = TextSamples.Layer(layer: TextSamples.fixes, features: [feature])
    let text = try LayerWriting.text(of: [layer]) { GPXWriter($0) }
    #expect(text.contains("<trkpt lat=\"1\" lon=\"-180\"></trkpt>"))
  }

  @Test func `Areas are refused`() {
    let layers = TextSamples.layers(count: 1, seed: 1).filter { $0.layer.shape == .polygon }
    #expect(throws: ExportFailure.self) {
      try LayerWriting.text(of: layers) { GPXWriter($0) }
    }
  }
}
