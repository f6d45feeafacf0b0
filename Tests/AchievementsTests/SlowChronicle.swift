import Geodesy

@testable import Achievements

/// Computes each metric from all fixes so far, from its definition in `docs/achievements.md`.
struct SlowChronicle {
  var fixes: [ChronicleFix] = []
  var stays: [RandomJourney.Stay] = []
  let gap: Int64

  init(gap: Int64) { self.gap = gap }

  private func day(_ fix: ChronicleFix) -> Int {
    Timestamp(millisecondsSince1970: fix.localTime).daysSince1970
  }

  /// The steps on the ground: two successive fixes of a source.
  private var steps: [(from: ChronicleFix, to: ChronicleFix, index: Int)] {
    var steps: [(ChronicleFix, ChronicleFix, Int)] = []
    for (index, fix) in fixes.enumerated() {
      guard fix.isJoined, let before = fixes[..<index].last(where: { $0.source == fix.source }),
        before.order + 1 == fix.order, fix.time - before.time <= gap,
        before.coordinate.distanceMeters(to: fix.coordinate)
          <= max(21_000, 0.35 * Double(fix.time - before.time))
      else { continue }
      steps.append((before, fix, index))
    }
    return steps
  }

  /// The meters of each step that count: times of the tests are whole seconds, and each second
  /// counts once, also one of a stay, which has no meters.
  private var countedSteps: [(from: ChronicleFix, to: ChronicleFix, meters: Double)] {
    var seen: Set<Int64> = []
    var stays = stays[...]
    return steps.map { from, to, index in
      while let stay = stays.first, stay.after <= index {
        stays.removeFirst()
        guard let last = fixes[..<stay.after].last(where: { $0.source == stay.source }),
          last.order + 1 == stay.order, stay.time - last.time <= gap
        else { continue }
        seen.formUnion(last.time / 1_000..<stay.time / 1_000)
      }
      let length = from.coordinate.distanceMeters(to: to.coordinate)
      if from.time == to.time { return (from, to, length) }
      let seconds = from.time / 1_000..<to.time / 1_000
      let new = seconds.count { seen.insert($0).inserted }
      return (from, to, length * Double(new) / Double(seconds.count))
    }
  }

  private func isOnFoot(_ from: ChronicleFix, _ to: ChronicleFix) -> Bool {
    from.coordinate.distanceMeters(to: to.coordinate)
      <= Chronicle.fastestOnFoot * Double(to.time - from.time) / 1_000
  }

  /// The steps on foot that count, each with the day on which it counts.
  private var walks: [(day: Int, meters: Double)] {
    var walks: [(Int, Double)] = []
    for source in Set(fixes.map(\.source)) {
      var (length, waiting) = (0.0, 0.0)
      var last: ChronicleFix?
      for step in countedSteps where step.to.source == source {
        if !isOnFoot(step.from, step.to) || step.from != last { (length, waiting) = (0, 0) }
        last = step.to
        guard isOnFoot(step.from, step.to) else { continue }
        length += step.from.coordinate.distanceMeters(to: step.to.coordinate)
        waiting += step.meters
        guard length >= Chronicle.shortestWalkMeters else { continue }
        walks.append((day(step.to), waiting))
        waiting = 0
      }
    }
    return walks
  }

  private func most<Key: Hashable>(_ groups: [(Int, Key)]) -> Double {
    Double(Dictionary(grouping: groups, by: \.0).values.map { Set($0.map(\.1)).count }.max() ?? 0)
  }

  private func sumOfDay(_ values: [(Int, Double)]) -> Double {
    Dictionary(grouping: values, by: \.0).values.map { $0.reduce(0) { $0 + $1.1 } }.max() ?? 0
  }

  /// Days of each key, of which one before the latest so far does not count.
  private func mostDays<Key: Hashable>(_ key: (ChronicleFix) -> Key?) -> Double {
    var days: [Key: [Int]] = [:]
    for fix in fixes {
      guard let key = key(fix) else { continue }
      if day(fix) > days[key]?.last ?? .min { days[key, default: []].append(day(fix)) }
    }
    return Double(days.values.map(\.count).max() ?? 0)
  }

  private func hour(_ fix: ChronicleFix) -> Int {
    Int((fix.localTime - Int64(day(fix)) * 86_400_000) / 3_600_000)
  }

  func value(of metric: AchievementMetric) -> Double? {
    let places = fixes.map(\.place)
    let (latitudes, longitudes) = (
      fixes.map(\.coordinate.latitudeDegrees), fixes.map(\.coordinate.longitudeDegrees)
    )
    func distinct<Value: Hashable>(_ values: [Value], no zero: Value) -> Double {
      Double(Set(values).subtracting([zero]).count)
    }
    switch metric.kind {
    case .countries:
      guard let argument = metric.argument else { return distinct(places.map(\.country), no: 0) }
      let number = Continent(rawValue: argument)?.number
      return distinct(places.filter { $0.continent == number }.map(\.country), no: 0)
    case .continents: return distinct(places.filter { $0.country != 0 }.map(\.continent), no: 0)
    case .regions:
      guard let argument = metric.argument else { return distinct(places.map(\.region), no: 0) }
      let number = CountryNumber.of(argument)
      return distinct(places.filter { $0.country == number }.map(\.region), no: 0)
    case .districts: return distinct(places.map(\.district), no: 0)
    case .cities: return distinct(places.map(\.city), no: 0)
    case .islands: return distinct(places.map(\.island), no: 0)
    case .borders, .bordersOnFoot:
      var pairs: Set<Set<UInt16>> = []
      for step in steps {
        let pair: Set = [step.from.place.country, step.to.place.country]
        guard pair.count == 2, !pair.contains(0) else { continue }
        if metric.kind == .bordersOnFoot {
          var (length, last) = (0.0, step.to)
          for walk in steps.reversed() where walk.to == last && isOnFoot(walk.from, walk.to) {
            length += walk.from.coordinate.distanceMeters(to: walk.to.coordinate)
            last = walk.from
          }
          guard length >= Chronicle.shortestWalkMeters else { continue }
        }
        pairs.insert(pair)
      }
      return Double(pairs.count)
    case .distance: return countedSteps.reduce(0) { $0 + $1.meters } / 1_000
    case .dayDistance: return sumOfDay(countedSteps.map { (day($0.to), $0.meters) }) / 1_000
    case .footDistance: return walks.reduce(0) { $0 + $1.meters } / 1_000
    case .dayFootDistance: return sumOfDay(walks) / 1_000
    case .nightDistance:
      return countedSteps.filter { hour($0.to) < 5 }.reduce(0) { $0 + $1.meters } / 1_000
    case .dawnDays:
      let dawn = countedSteps.filter { (5..<7).contains(hour($0.to)) }
      let days = Dictionary(grouping: dawn) { day($0.to) }
      return Double(days.values.count { $0.reduce(0) { $0 + $1.meters } >= 1_000 })
    case .days: return Double(Set(fixes.map(day)).count)
    case .streak:
      let days = Set(fixes.map(day))
      return Double(
        days.map { first in (0...).first { !days.contains(first + $0) } ?? 0 }.max() ?? 0)
    case .years: return Double(Set(fixes.map { CalendarDay(daysSince1970: day($0)).year }).count)
    case .months: return Double(Set(fixes.map { CalendarDay(daysSince1970: day($0)).month }).count)
    case .daysOn:
      let days = Set(fixes.map(day)).map(CalendarDay.init(daysSince1970:))
      let wanted = metric.argument ?? ""
      return Double(
        days.count {
          "\($0.month < 10 ? "0" : "")\($0.month)-\($0.day < 10 ? "0" : "")\($0.day)" == wanted
        })
    case .dayCountries:
      return most(fixes.filter { $0.place.country != 0 }.map { (day($0), $0.place.country) })
    case .dayCities:
      return most(fixes.filter { $0.place.city != 0 }.map { (day($0), $0.place.city) })
    case .dayContinents:
      return most(fixes.filter { $0.place.continent != 0 }.map { (day($0), $0.place.continent) })
    case .yearCountries:
      return most(
        fixes.filter { $0.place.country != 0 }.map {
          (CalendarDay(daysSince1970: day($0)).year, $0.place.country)
        })
    case .placeDays:
      return mostDays {
        [
          Int((($0.coordinate.latitudeDegrees + 90) * 200).rounded(.down)),
          Int((($0.coordinate.longitudeDegrees + 180) * 200).rounded(.down)),
        ]
      }
    case .cityDays: return mostDays { $0.place.city == 0 ? nil : $0.place.city }
    case .countryDays: return mostDays { $0.place.country == 0 ? nil : $0.place.country }
    case .north: return latitudes.max()
    case .south: return latitudes.min().map { -$0 }
    case .east: return longitudes.max()
    case .west: return longitudes.min().map { -$0 }
    case .equator: return latitudes.map(abs).min().map { 90 - $0 }
    case .hemispheres:
      return [
        latitudes.contains { $0 > 0 }, latitudes.contains { $0 < 0 },
        longitudes.contains { $0 > 0 }, longitudes.contains { $0 < 0 },
      ].reduce(0) { $0 + ($1 ? 1 : 0) }
    case .latitudeSpan: return latitudes.max().map { $0 - (latitudes.min() ?? 0) } ?? 0
    case .longitudeBands: return Double(Set(longitudes.map { ($0 / 15).rounded(.down) }).count)
    default: return nil
    }
  }
}
