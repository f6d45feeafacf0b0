import Geocode
import Roqua

/// What becomes of one photo.
struct PhotoOutcome {
  /// The states of a photo.
  enum State: String {
    /// It has a position, which stays.
    case hasPosition
    /// A position is proposed.
    case proposed
    /// The proposed position was written.
    case written
    /// The proposed position could not be written.
    case notWritten
    /// The position is less certain than the limit, and is not written.
    case tooUncertain
    /// The file does not state when it was taken.
    case noTime
    /// Nothing is known within a day of the time.
    case noPosition
    /// The file cannot be read.
    case unreadable
  }

  let path: String
  var state: State
  var proposal: PhotoProposal?
  var place: Place?
  /// Why it was not written or cannot be read, in a sentence.
  var reason: String?

  /// A photo that was read.
  ///
  /// - Parameter limitMeters: a position that is less certain than this is not written.
  init(_ proposal: PhotoProposal, limitMeters: Double, place: (PositionEstimate) -> Place) {
    path = proposal.facts.path
    var proposal = proposal
    // Where `roqua at` says that nothing is known, no position is proposed, whatever the limit is.
    if proposal.estimate?.isFarFromFixes == true { proposal.estimate = nil }
    self.proposal = proposal
    if proposal.facts.position != nil {
      state = .hasPosition
    } else if proposal.facts.clockTime == nil, proposal.time == nil {
      state = .noTime
    } else if let estimate = proposal.estimate {
      state = estimate.uncertaintyMeters <= limitMeters ? .proposed : .tooUncertain
      self.place = place(estimate)
    } else {
      state = .noPosition
    }
  }

  /// A file that cannot be read.
  init(path: String, unreadable reason: String) {
    (self.path, state, self.reason) = (path, .unreadable, reason)
  }

  /// The photo as a JSON object.
  var json: JSONValue {
    let isProposal = proposal?.facts.position == nil
    let estimate = isProposal ? proposal?.estimate : nil
    let position = proposal?.facts.position ?? estimate?.coordinate
    return .object(
      [
        .init("path", .string(path)), .init("state", .string(state.rawValue)),
        .init("camera", .string(proposal?.facts.camera)),
        .init("time", .string(proposal?.time?.iso8601)),
        .init("offset", .string(proposal?.offset.map { "\($0)" })),
        .init("clock", .string(proposal?.clock?.rawValue)),
        .init("latitude", .number(position?.latitudeDegrees)),
        .init("longitude", .number(position?.longitudeDegrees)),
        .init("uncertaintyMeters", .number(estimate?.uncertaintyDecimeters)),
        .init("certainty", .string(estimate?.certainty.name)),
        .init("secondsFromFix", .number(estimate?.secondsToNearestFix)),
      ] + PositionEstimate.json(of: isProposal ? place : nil)
        + [.init("reason", .string(reason))])
  }
}
