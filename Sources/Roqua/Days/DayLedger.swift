/// Counts days and nights by country (`docs/days.md`).
///
/// A day counts for a country if a fix lies in it on that day by the clock there. A night is named
/// by the day on which it begins, and counts for the country in which you were at the midnight that
/// ends this day. Between two fixes in one country you are presumed to have been there all the
/// time.
///
/// A country has each of its days and nights once. A day may count for several countries, and a
/// night too if you cross the date line eastwards.
///
/// - Complexity: O(1) for each fix, and O(days) for a gap.
struct DayLedger<Country: Hashable> {
  /// The days and nights of a country, as days since 1970-01-01.
  struct Account: Hashable {
    /// The days with a fix in the country.
    var days: Set<Int> = []
    /// The days without any fix, in any country, between two fixes in the country.
    var presumedDays: Set<Int> = []
    /// The nights between two days with a fix, the last and the first of which lie in the country.
    var nights: Set<Int> = []
    /// The nights before and after presumed days.
    var presumedNights: Set<Int> = []
  }

  private var accounts: [Country: Account] = [:]
  /// The nights between fixes in different countries: on the way, or in the air.
  private var nightsBetween: Set<Int> = []
  /// The days without any fix between fixes in different countries.
  private var daysBetween: Set<Int> = []
  private var last: (day: Int, country: Country)?

  /// Adds the next fix in order of time.
  ///
  /// - Parameters:
  ///   - day: its day by the clock at the fix.
  ///   - isMidnight: whether it is the first moment of this day.
  ///   - missing: the dates since the day of the fix before that no clock showed: they are no days.
  mutating func take(
    day: Int, isMidnight: Bool, in country: Country, missing: Set<Int> = []
  ) {
    if let last, last.day == day, last.country == country { return }
    defer { last = (day, country) }
    accounts[country, default: Account()].days.insert(day)
    if isMidnight {
      var night = day - 1
      while missing.contains(night) { night -= 1 }
      accounts[country, default: Account()].nights.insert(night)
    }
    // No midnight passes on the way to a place where it is still the day before.
    guard let last, last.day < day else { return }
    let days = Set(last.day + 1..<day).subtracting(missing)
    let nights = days.union([last.day])
    if last.country != country {
      nightsBetween.formUnion(nights)
      daysBetween.formUnion(days)
    } else if days.isEmpty {
      accounts[country, default: Account()].nights.insert(last.day)
    } else {
      accounts[country, default: Account()].presumedNights.formUnion(nights)
      accounts[country, default: Account()].presumedDays.formUnion(days)
    }
  }

  /// The days with a fix.
  private var knownDays: Set<Int> {
    accounts.values.reduce(into: []) { $0.formUnion($1.days) }
  }

  /// The accounts of all countries. A day with a fix in any country is not presumed, and neither is
  /// a night that is known.
  var countries: [Country: Account] {
    let known = knownDays
    return accounts.mapValues { account in
      var account = account
      account.presumedDays.subtract(known)
      account.presumedNights.subtract(account.nights)
      return account
    }
  }

  /// The days and nights that count for no country, because the fixes before and after lie in
  /// different ones.
  var between: (days: Set<Int>, nights: Set<Int>) {
    let nights = accounts.values.reduce(into: Set<Int>()) { $0.formUnion($1.nights) }
    return (daysBetween.subtracting(knownDays), nightsBetween.subtracting(nights))
  }
}

/// The most days of a set in a window of successive days.
struct DayWindow: Hashable, Sendable {
  /// The number of days that is looked for, and the number of days of the window: 183 of 365.
  let limit: Int
  let length: Int

  /// The largest number of the days in any window, the last day of the first such window, and the
  /// first day on which the window that ends there has `limit` days; nil if there are no days, or
  /// `length` is less than 1.
  ///
  /// - Complexity: O(n log n).
  func most(of days: Set<Int>) -> (count: Int, end: Int, reached: Int?)? {
    guard length > 0 else { return nil }
    let ordered = days.sorted()
    var best: (count: Int, end: Int, reached: Int?)?
    var first = 0
    for (index, day) in ordered.enumerated() {
      while day - ordered[first] >= length { first += 1 }
      let count = index - first + 1
      let reached = best?.reached ?? (count >= limit ? day : nil)
      if count > best?.count ?? 0 {
        best = (count, day, reached)
      } else {
        best?.reached = reached
      }
    }
    return best
  }

  /// The longest run of successive days, the first of equally long ones; nil if there are no days.
  static func longestStreak(of days: Set<Int>) -> ClosedRange<Int>? {
    var best: ClosedRange<Int>?
    for day in days.sorted() where !days.contains(day - 1) {
      var last = day
      while days.contains(last + 1) { last += 1 }
      if last - day > (best.map { $0.upperBound - $0.lowerBound } ?? -1) { best = day...last }
    }
    return best
  }
}
