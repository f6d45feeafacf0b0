/// A set of kinds of metrics.
package struct MetricSet: OptionSet, Sendable {
  package let rawValue: UInt64

  package init(rawValue: UInt64) { self.rawValue = rawValue }

  /// The set of one kind.
  package init(_ kind: AchievementMetric.Kind) { rawValue = 1 << UInt64(kind.number) }

  /// What a step on the ground changes.
  static let distances: MetricSet = [
    MetricSet(.distance), MetricSet(.dayDistance), MetricSet(.nightDistance), MetricSet(.dawnDays),
  ]
  /// What a step at walking pace changes.
  static let footDistances: MetricSet = [MetricSet(.footDistance), MetricSet(.dayFootDistance)]
  /// What an extreme of the compass changes.
  static let compass: MetricSet = [
    MetricSet(.north), MetricSet(.south), MetricSet(.east), MetricSet(.west), MetricSet(.equator),
    MetricSet(.hemispheres), MetricSet(.latitudeSpan), MetricSet(.longitudeBands),
  ]
  /// What another place changes.
  static let places: MetricSet = [
    MetricSet(.countries), MetricSet(.continents), MetricSet(.regions), MetricSet(.districts),
    MetricSet(.cities), MetricSet(.islands), MetricSet(.cityDays), MetricSet(.countryDays),
    MetricSet(.dayCountries), MetricSet(.dayCities), MetricSet(.dayContinents),
    MetricSet(.yearCountries),
  ]
  /// What data without a time changes.
  package static let undated: MetricSet = [
    .compass, MetricSet(.countries), MetricSet(.continents), MetricSet(.regions),
    MetricSet(.districts), MetricSet(.cities), MetricSet(.islands),
  ]
  /// What another day changes.
  static let days: MetricSet = [
    MetricSet(.days), MetricSet(.streak), MetricSet(.years), MetricSet(.months), MetricSet(.daysOn),
  ]
  /// What another border changes.
  static let borders: MetricSet = [MetricSet(.borders), MetricSet(.bordersOnFoot)]
  /// All kinds that come from fixes in order of time.
  static let all: MetricSet = [
    .distances, .footDistances, .compass, .places, .days, .borders, MetricSet(.placeDays),
  ]
}

extension AchievementMetric.Kind {
  private static let numbers = Dictionary(
    uniqueKeysWithValues: allCases.enumerated().map { ($1, $0) })

  /// Its number, from 0.
  var number: Int { Self.numbers[self] ?? 0 }
  /// The number of kinds.
  static var count: Int { allCases.count }
}
