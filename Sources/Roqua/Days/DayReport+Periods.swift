import Geodesy

extension DayReport {
  /// The days, nights and distance of a year or month.
  package struct PeriodDays: Hashable, Sendable {
    /// The period: `2024` or `2024-05`.
    package let period: String
    /// The days and nights of each country code, most days first; nil stands for no country.
    package let countries: [Counts]
    /// The number of days with a fix.
    package let recordedDays: Int
    /// The distance on the ground in meters.
    package let groundMeters: Double

    /// The days and nights of a country in a period.
    package struct Counts: Hashable, Sendable {
      /// The ISO code of the country; nil at sea and in no country.
      package let countryCode: String?
      /// The days with a fix in it.
      package var days = 0
      /// The nights spent in it, those in a gap included.
      package var nights = 0
      /// The days without any fix between two fixes in it.
      package var presumedDays = 0
    }
  }

  /// The days, nights and distances by year, month or day, in order of time.
  ///
  /// - Parameter breakdown: `.year`, `.month` or `.day`.
  package func periods(by breakdown: Breakdown) -> [PeriodDays] {
    var periods: [PeriodDays] = []
    var (current, members) = (Period?.none, [Day]())
    func close() {
      if let current { periods.append(PeriodDays(current.description, members)) }
      members = []
    }
    for day in days {
      let period = Period(daysSince1970: day.day, breakdown)
      if period != current {
        close()
        current = period
      }
      members.append(day)
    }
    close()
    return periods
  }
}

extension DayReport.PeriodDays {
  fileprivate init(_ period: String, _ days: [DayReport.Day]) {
    var counts: [String?: Counts] = [:]
    func add(_ code: String?, _ change: (inout Counts) -> Void) {
      change(&counts[code, default: Counts(countryCode: code)])
    }
    for day in days {
      for code in day.countryCodes {
        add(code) { if day.isPresumed { $0.presumedDays += 1 } else { $0.days += 1 } }
      }
      switch day.night {
      case .country(let code): add(code) { $0.nights += 1 }
      case .atSea: add(nil) { $0.nights += 1 }
      case .betweenCountries, nil: break
      }
    }
    self.init(
      period: period,
      countries: counts.values.sorted { left, right in
        (right.days, left.countryCode ?? "~") < (left.days, right.countryCode ?? "~")
      },
      recordedDays: days.count { !$0.isPresumed && !$0.countryCodes.isEmpty },
      groundMeters: days.reduce(0) { $0 + $1.groundMeters })
  }
}
