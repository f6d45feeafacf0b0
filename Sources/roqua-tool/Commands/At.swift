import ArgumentParser
import ByteStreams
import Foundation
import Geocode
import Geodesy
import Roqua

struct At: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "at",
    abstract: "Show where you were at a time, and how certain that is.",
    discussion: """
      A time is 2024-05-01T10:00:00Z, 2024-05-01 12:00+02:00, or Unix seconds. A time without a \
      time zone is in UTC; with --time-zone local, it is by the clocks of the place where you \
      were. If they showed it twice, the first time counts, and the answer names the second one in \
      UTC.

      The position is that of a stay, or lies on the way between two kept fixes; where nothing was \
      recorded, it is the nearest known one. share/doc/roqua/where-was-i.md explains how the \
      uncertainty is computed.

      --batch reads one time per line from standard input and prints one line for each: latitude, \
      longitude, uncertainty in meters, certainty (fix, visit, moving, flight, gap, before, \
      after), seconds from the nearest fix, country code, region, district, city, time zone, sea \
      and quarter, separated by tabs, or a JSON object with --json. A time at which nothing is \
      known gets an empty line, or an object with nulls. A blank line, or one without a valid \
      time, gets an empty line or null; the latter is also an error, and the exit status is 2.

      Examples:
        roqua at 2024-09-14T10:15:00Z
        roqua at '2024-09-14 12:15' --time-zone local
        printf '2024-09-14T10:15:00Z\\n1726308900\\n' | roqua at --batch
      """)

  @OptionGroup var store: StoreArguments

  @Argument(help: "The time: 2024-05-01T10:00:00Z, 2024-05-01 12:00+02:00, or Unix seconds.")
  var time: [String] = []

  @Flag(help: "Read one time per line from standard input.")
  var batch = false

  @Option(
    help: ArgumentHelp(
      "Read times without a time zone, and show times, in UTC or by the local clock: utc or local.",
      valueName: "clock"))
  var timeZone: StatisticsQuery.Clock = .utc

  @OptionGroup var language: LanguageArguments

  func validate() throws {
    if batch {
      guard time.isEmpty else {
        throw ValidationError("--batch cannot be combined with a time.")
      }
    } else {
      _ = try reading()
    }
  }

  /// The time on the command line.
  ///
  /// - Throws: `ValidationError`; never after ``validate()``.
  private func reading() throws -> WrittenTime {
    guard !time.isEmpty else {
      throw ValidationError("Name a time, such as 2024-05-01T10:00:00Z, or use --batch.")
    }
    let text = time.map(NegativeNumbers.original).joined(separator: " ")
    let reading = WrittenTime(text.utf8)
    if let reason = Self.refusal(of: reading, text) {
      let times = time.count { argument in
        switch WrittenTime(NegativeNumbers.original(argument).utf8) {
        case .moment, .clock, .date: true
        case .blank, .invalid: false
        }
      }
      if times > 1 {
        throw ValidationError("Give one time; --batch reads several from standard input.")
      }
      let shown = text.count > 40 ? text.prefix(40) + "…" : text[...]
      throw ValidationError("\"\(Console.safe(String(shown)))\" \(reason)")
    }
    return reading
  }

  /// Why a text is not a moment, as the end of a sentence; nil if it is one.
  private static func refusal(of reading: WrittenTime, _ text: String) -> String? {
    switch reading {
    case .moment, .clock: nil
    case .date: "is a date without a time: add one, such as 2024-05-01T10:00:00Z."
    case .blank, .invalid: TimeFlaw.flaw(of: text)
    }
  }

  func run() throws {
    try Console.reportingErrors {
      let explorer = try store.open(creating: false)
      let whereabouts = try WorkProgress.counting { try explorer.whereabouts() }
      var clock = PlaceClock(whereabouts, geocoder: explorer.geocoder)
      if batch { return try answerBatch(whereabouts, explorer.geocoder, &clock) }
      guard let (moment, local) = moment(try reading(), &clock) else {
        throw Console.Failure(
          "no position is known within a day of that time, so its time zone is not known; "
            + "state one, such as 2024-05-01T12:00:00+02:00")
      }
      let estimate = whereabouts.position(at: moment)
      let locale = !store.json || PlaceWording.isChosen ? PlaceWording.current.locale : nil
      let place = estimate.map { estimate in
        locale.map { explorer.geocoder.place(at: estimate.coordinate, locale: $0) }
          ?? explorer.geocoder.place(at: estimate.coordinate)
      }
      if store.json {
        let note = local?.json.map { [JSONValue.Member("localTime", $0)] } ?? []
        Console.print(.object(PositionEstimate.json(at: moment, estimate, place) + note))
      } else if let estimate, let place {
        var sentences = PositionSentences(clock: clock, showsLocalTime: timeZone == .local)
        let note = local.flatMap { sentences.note($0, at: estimate.coordinate) }
        Self.print(sentences.lines(estimate, place) + (note.map { [$0] } ?? []))
      } else {
        Self.print([PositionSentences.nothingKnown(near: moment)])
      }
    }
  }

  private static func print(_ sentences: [String]) {
    sentences.flatMap { TerminalWidth.wrapped($0) }.forEach(Console.print)
  }

  /// Bytes of a line that are looked at for what is wrong with it.
  private static let quotedBytes = 64

  /// The moment of a text, and how it was found if the text is a local time; nil if the text is no
  /// time, or if the time zone of a local time is not known.
  private func moment(
    _ reading: WrittenTime, _ clock: inout PlaceClock
  ) -> (time: Timestamp, local: LocalMoment?)? {
    switch reading {
    case .moment(let time): (time, nil)
    case .clock(let local):
      timeZone == .utc
        ? (Timestamp(millisecondsSince1970: local), nil)
        : clock.moment(atLocal: local).map { ($0.time, $0) }
    default: nil
    }
  }

  /// Answers each line with one line, so that answers can be matched with questions. Writes what it
  /// has before it waits for more.
  private func answerBatch(
    _ whereabouts: Whereabouts, _ geocoder: Geocoder, _ clock: inout PlaceClock
  ) throws {
    var (number, answers, failures, repeated, skipped) = (0, 0, 0, 0, 0)
    let locale = PlaceWording.isChosen ? PlaceWording.current.locale : nil
    var written = PositionLines(geocoder: geocoder, isJSON: store.json, locale: locale)
    func write() {
      Console.printLines(written.bytes)
      written.removeAll()
    }
    func fail(_ reason: String) {
      failures += 1
      written.appendNothing()
      Console.printError("roqua: line \(number): \(reason)")
    }
    let lines = InputLines()
    do {
      while let line = try lines.next(beforeWaiting: write) {
        number += 1
        switch line {
        case .bytes(let bytes):
          let reading = WrittenTime(bytes)
          if let (moment, local) = moment(reading, &clock) {
            answers += 1
            written.append(moment, whereabouts.position(at: moment), local)
            if local?.other != nil { repeated += 1 }
            if local?.isSkipped == true { skipped += 1 }
          } else if case .clock = reading {
            fail("No position is known within a day of the time, so its time zone is not known.")
          } else if reading == .blank {
            written.appendNothing()
          } else {
            let text = String(decoding: bytes.prefix(Self.quotedBytes), as: UTF8.self)
            fail("The line \(Self.refusal(of: reading, text) ?? "")")
          }
        case .tooLong: fail("The line is longer than \(InputLines.longestLine) bytes.")
        }
        if written.bytes.count >= 1 << 16 { write() }
      }
    } catch {
      failures += 1
      Console.printError(
        "roqua: standard input cannot be read: \(String(cString: strerror(error.code)))")
    }
    write()
    if repeated > 0 {
      Console.printError(
        "roqua: \(Wording.count(repeated, "line")) had a local time that clocks showed twice; the "
          + "first one counts")
    }
    if skipped > 0 {
      Console.printError(
        "roqua: \(Wording.count(skipped, "line")) had a local time that clocks skipped; the clock "
          + "before the change counts")
    }
    if failures > 0 {
      Console.printError(
        "roqua: \(Wording.count(failures, "line")) of \(Wording.count(number)) had no valid time")
      throw ExitCode(answers > 0 ? 2 : 1)
    }
  }
}
