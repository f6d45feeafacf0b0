import Geodesy
import Roqua

/// The outcome of `roqua photos` for people and as JSON.
struct PhotoSummary {
  let outcomes: [PhotoOutcome]
  let cameras: [String: CameraClock]
  let limitMeters: Double
  let isWriting: Bool

  private func count(_ states: PhotoOutcome.State...) -> Int {
    outcomes.count { states.contains($0.state) }
  }

  /// Files that could not be read or written.
  var failures: Int { count(.unreadable, .notWritten) }

  /// One document.
  var json: JSONValue {
    [
      "photos": .array(outcomes.map(\.json)),
      "cameras": .array(
        cameras.sorted { $0.key < $1.key }.map { camera, clock in
          [
            "camera": .string(camera), "offset": .string("\(clock.offset)"),
            "photos": .integer(clock.photos),
            "medianMeters": .number(clock.medianMeters.map { $0.rounded() }),
          ]
        }),
      "totals": [
        "photos": .integer(outcomes.count), "hasPosition": .integer(count(.hasPosition)),
        "proposed": .integer(count(.proposed, .written, .notWritten)),
        "written": .integer(count(.written)), "notWritten": .integer(count(.notWritten)),
        "tooUncertain": .integer(count(.tooUncertain)), "noTime": .integer(count(.noTime)),
        "noPosition": .integer(count(.noPosition)), "unreadable": .integer(count(.unreadable)),
      ],
    ]
  }

  /// A table of the proposals, how the times were found, and the counts.
  func lines() -> [String] {
    var table = Table([.left, .left, .left, .right, .left, .left])
    for outcome in outcomes where outcome.proposal?.facts.position == nil {
      guard let proposal = outcome.proposal else { continue }
      guard let estimate = proposal.estimate, let place = outcome.place else {
        let text = outcome.state == .noTime ? "no time" : "nothing is known within a day"
        table.add([outcome.path, Self.text(proposal), "", "", text, ""])
        continue
      }
      table.add([
        outcome.path, Self.text(proposal), "\(estimate.coordinate)",
        "±" + Wording.distance(estimate.uncertaintyMeters), estimate.certainty.name,
        PositionSentences.text(place),
      ])
    }
    return table.lines() + clockLines() + countLines()
  }

  /// `2024-05-01 12:00:00 +02:00`; in UTC if the offset is not known.
  private static func text(_ proposal: PhotoProposal) -> String {
    guard let time = proposal.time else { return "" }
    let offset = proposal.offset?.milliseconds ?? 0
    let shown = Timestamp(millisecondsSince1970: time.millisecondsSince1970 + offset).iso8601
    return String(shown.prefix { $0 != "." && $0 != "Z" }).replacing("T", with: " ")
      + (proposal.offset.map { " \($0)" } ?? " UTC")
  }

  private func clockLines() -> [String] {
    let known = cameras.sorted { $0.key < $1.key }.map { camera, clock in
      let basis =
        clock.medianMeters.map { meters in
          "with a position, " + (clock.photos == 1 ? "" : "half of them within ")
            + "\(Wording.distance(meters)) \(clock.photos == 1 ? "from" : "of") the track"
        } ?? "with the time by GPS"
      return "The clock of \(camera) is UTC\(clock.offset), worked out from "
        + "\(Wording.count(clock.photos, "photo")) \(basis)."
    }
    let counts = Dictionary(
      grouping: outcomes.compactMap { outcome in
        outcome.proposal?.facts.position == nil ? outcome.proposal?.clock : nil
      }, by: { $0 }
    ).mapValues(\.count)
    let rules = PhotoClock.allCases.compactMap { clock in
      counts[clock].map { "\(Wording.count($0)) \(clock.text)" }
    }
    return known + (rules.isEmpty ? [] : ["Times: " + rules.joined(separator: ", ") + "."])
  }

  private func countLines() -> [String] {
    let parts = [
      (count(.proposed), "with a proposed position"), (count(.written), "written"),
      (count(.notWritten), "not written"),
      (count(.tooUncertain), "less certain than \(Wording.distance(limitMeters))"),
      (count(.hasPosition), "already with a position"), (count(.noTime), "without a time"),
      (count(.noPosition), "with nothing known within a day"),
      (count(.unreadable), "unreadable"),
    ].filter { $0.0 > 0 }.map { "\(Wording.count($0.0)) \($0.1)" }
    let total = Wording.count(outcomes.count, "photo")
    let counts = parts.isEmpty ? "\(total)" : "\(total): " + parts.joined(separator: ", ")
    return !isWriting && count(.proposed) > 0
      ? [counts, "Nothing was written; --write xmp or --write exif writes the positions."]
      : [counts]
  }
}

extension PhotoClock {
  /// How the time was found, after a number of photos.
  fileprivate var text: String {
    switch self {
    case .file: "with a time zone in the file"
    case .gps: "by GPS"
    case .video: "in UTC as in videos"
    case .option: "by --offset"
    case .camera: "by the camera's other photos"
    case .place: "by the time zone of the place"
    }
  }
}
