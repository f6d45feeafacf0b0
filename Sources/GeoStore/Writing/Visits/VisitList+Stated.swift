import Geodesy

extension VisitList {
  /// Returns the number of visits, at least one: the known visits, plus the stated visits that are
  /// not among them. Several statements about one region may refer to the same visits, so only the
  /// one that adds the most counts.
  func count(with stated: [StatedVisits]) -> Int {
    max(1, count + (stated.map { $0.unseen(among: visits) }.max() ?? 0))
  }

  /// Returns the known visits of an adopted region: one from the first to the last time if it
  /// states one visit, otherwise one at each end.
  static func known(_ stated: StatedVisits) -> [Visit] {
    guard let range = stated.range else { return [] }
    if stated.count == 1 { return [Visit(start: range.lowerBound, end: range.upperBound)] }
    return [range.lowerBound, range.upperBound].map { Visit(start: $0, end: $0) }
  }

  /// Creates a list from visits in any order, joined if they overlap or the gap between them is not
  /// exceeded.
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
