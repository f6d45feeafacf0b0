import Foundation
import Geodesy

/// One history in the shapes in which Google writes it: two walks in two countries, and a flight
/// between them over a third one.
struct OneHistory {
  struct Fix {
    let latitude: Double
    let longitude: Double
    /// Seconds since 1970.
    let time: Int
    let accuracy: Int
  }

  /// All positions in the order of time. Those in the air are inaccurate, as phones without GPS
  /// report them.
  private(set) var fixes: [Fix] = []
  private let walk: Range<Int>
  private let flight: Range<Int>
  private let lastWalk: Range<Int>
  private static let start = 1_717_236_000  // 2024-06-01T10:00:00Z

  init() {
    var fixes: [Fix] = []
    for index in 0..<60 {  // Annecy, France
      fixes.append(
        Fix(
          latitude: 45.9 + 0.000_6 * Double(index), longitude: 6.12, time: Self.start + 45 * index,
          accuracy: 8))
    }
    walk = 0..<fixes.count
    for (index, share) in [0, 0.2, 0.4, 0.6, 0.8, 1].enumerated() {  // over Germany
      fixes.append(
        Fix(
          latitude: 46.238 + share * 13.414, longitude: 6.109 + share * 11.81,
          time: Self.start + 20_000 + 1_800 * index, accuracy: 2_100))
    }
    flight = walk.upperBound..<fixes.count
    for index in 0..<60 {  // Västerås, Sweden
      fixes.append(
        Fix(
          latitude: 59.6, longitude: 16.5 + 0.001 * Double(index),
          time: Self.start + 86_400 + 45 * index, accuracy: 8))
    }
    lastWalk = flight.upperBound..<fixes.count
    self.fixes = fixes
  }

  private func iso(_ seconds: Int) -> String {
    Timestamp(millisecondsSince1970: Int64(seconds) * 1_000).iso8601
  }

  private func e7(_ degrees: Double) -> Int { Int((degrees * 1e7).rounded()) }

  /// `Records.json`: every position.
  var records: String {
    let all = fixes.map {
      """
      {"latitudeE7":\(e7($0.latitude)),"longitudeE7":\(e7($0.longitude)),"accuracy":\($0.accuracy),
       "timestamp":"\(iso($0.time))"}
      """
    }
    return "{\"locations\":[\(all.joined(separator: ","))]}"
  }

  /// A file of the semantic history: every second position of the walks, and the flight's ends.
  var semantic: String {
    func path(_ range: Range<Int>) -> String {
      let points = range.filter { $0 % 2 == 0 }.map { index in
        """
        {"latE7":\(e7(fixes[index].latitude)),"lngE7":\(e7(fixes[index].longitude)),
         "accuracyMeters":8,"timestamp":"\(iso(fixes[index].time))"}
        """
      }
      return """
        {"activitySegment":{"activityType":"WALKING","duration":\(duration(range)),
         "simplifiedRawPath":{"points":[\(points.joined(separator: ","))]}}}
        """
    }
    func duration(_ range: Range<Int>) -> String {
      let (first, last) = (fixes[range.lowerBound], fixes[range.upperBound - 1])
      return "{\"startTimestamp\":\"\(iso(first.time))\",\"endTimestamp\":\"\(iso(last.time))\"}"
    }
    func place(_ fix: Fix) -> String {
      "{\"latitudeE7\":\(e7(fix.latitude)),\"longitudeE7\":\(e7(fix.longitude))}"
    }
    let flying = """
      {"activitySegment":{"activityType":"FLYING","duration":\(duration(flight)),
       "startLocation":\(place(fixes[flight.lowerBound])),
       "endLocation":\(place(fixes[flight.upperBound - 1]))}}
      """
    return "{\"timelineObjects\":[\(path(walk)),\(flying),\(path(lastWalk))]}"
  }

  /// Spans of two hours with the points in them, without their accuracy.
  private func paths(_ indices: some Sequence<Int>) -> [(start: Int, points: [Fix])] {
    var spans: [(start: Int, points: [Fix])] = []
    for index in indices {
      let start = fixes[index].time / 7_200 * 7_200
      if spans.last?.start != start { spans.append((start, [])) }
      spans[spans.count - 1].points.append(fixes[index])
    }
    return spans
  }

  /// Android's `Timeline.json`: every third position of the walks, and the flight.
  var android: String {
    let spans = paths(fixes.indices.filter { $0 % 3 == 0 || flight.contains($0) }).map { span in
      let points = span.points.map {
        "{\"point\":\"\($0.latitude)°, \($0.longitude)°\",\"time\":\"\(iso($0.time))\"}"
      }
      return """
        {"startTime":"\(iso(span.start))","endTime":"\(iso(span.start + 7_200))",
         "timelinePath":[\(points.joined(separator: ","))]}
        """
    }
    return "{\"semanticSegments\":[\(spans.joined(separator: ","))],\"rawSignals\":[]}"
  }

  /// `location-history.json` of iOS: every sixth position of the walks, and the flight, in whole
  /// minutes.
  var iOS: String {
    let spans = paths(fixes.indices.filter { $0 % 6 == 0 || flight.contains($0) }).map { span in
      let points = span.points.map {
        """
        {"point":"geo:\($0.latitude),\($0.longitude)",
         "durationMinutesOffsetFromStartTime":"\(($0.time - span.start) / 60)"}
        """
      }
      return """
        {"startTime":"\(iso(span.start))","endTime":"\(iso(span.start + 7_200))",
         "timelinePath":[\(points.joined(separator: ","))]}
        """
    }
    return "[\(spans.joined(separator: ","))]"
  }
}
