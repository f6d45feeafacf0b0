import Geodesy

extension VisitList {
  /// The number of visits: at least one, those that are known, and of what was stated what is not
  /// among them. Several statements about one region may be of the same visits, so only the one
  /// that adds the most counts.
  func count(with stated: [StatedVisits]) -> Int {
    max(1, count + (stated.map { $0.unseen(among: visits) }.max() ?? 0))
  }

  /// The visits of an adopted region that are known: all the time from first to last where it
  /// states one visit; else one at either end.
  static func known(_ stated: StatedVisits) -> [Visit] {
    guard let range = stated.range else { return [] }
    if stated.count == 1 { return [Visit(start: range.lowerBound, end: range.upperBound)] }
    return [range.lowerBound, range.upperBound].map { Visit(start: $0, end: $0) }
  }

  /// Visits in any order, joined where they overlap or no more than the gap lies between them.
  init(joining visits: [Visit], gapMilliseconds: Int64) {
    var joined: [Visit] = []
    for visit in visits.sorted(by: { $0.start < $1.start }) {
      if let last = joined.last,
        visit.start.millisecondsSince1970 - last.end.millisecondsSince1970 <= gapMilliseconds
      {
        joined[joined.count - 1].end = max(last.end, visit.end)
      } else {
        joined.append(visit)
      }
    }
    self.init(stored: joined)
  }
}
