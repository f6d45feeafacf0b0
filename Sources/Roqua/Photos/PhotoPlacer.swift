import Geocode
import Geodesy

/// A photo with the position where it was probably taken.
package struct PhotoProposal: Hashable, Sendable {
  /// What the file says.
  package var facts: PhotoFacts
  /// When it was taken; nil if that is not known.
  package var time: Timestamp?
  /// How far the camera's clock is ahead of UTC; nil if the file states only a moment.
  package var offset: ClockOffset?
  /// How the moment was found.
  package var clock: PhotoClock?
  /// Where the owner was then; nil if that is not known.
  package var estimate: PositionEstimate?
}

/// Finds where photos were taken, by their times.
///
/// The moment of a photo is found by the first rule that applies (``PhotoClock``): the file states
/// the offset of its clock, the time by GPS or, as a video, in UTC; the user has stated an offset;
/// the camera's offset can be worked out from other photos; the clocks of the place where the owner
/// was.
package struct PhotoPlacer {
  private let whereabouts: Whereabouts
  private let statedOffset: ClockOffset?
  private var clock: PlaceClock
  /// The clocks of cameras that were worked out, by the camera.
  package private(set) var cameras: [String: CameraClock] = [:]

  /// Prepares for photos.
  ///
  /// - Parameter statedOffset: how far the cameras' clocks are ahead of UTC, if the user knows.
  package init(_ whereabouts: Whereabouts, geocoder: Geocoder, statedOffset: ClockOffset? = nil) {
    self.whereabouts = whereabouts
    self.statedOffset = statedOffset
    clock = PlaceClock(whereabouts, geocoder: geocoder)
  }

  /// Proposes a position for each photo, in the same order.
  ///
  /// - Complexity: O(photos), and for each camera without exact times 170 000 positions.
  package mutating func proposals(for photos: [PhotoFacts]) -> [PhotoProposal] {
    if statedOffset == nil { findCameras(photos) }
    return photos.map { photo in
      var proposal = PhotoProposal(facts: photo)
      find(&proposal)
      proposal.estimate = proposal.time.flatMap(whereabouts.position(at:))
      return proposal
    }
  }

  /// Works out the clocks of those cameras of which a photo needs it.
  private mutating func findCameras(_ photos: [PhotoFacts]) {
    var finder = CameraClockFinder(whereabouts, clock: clock)
    let byCamera = Dictionary(grouping: photos.filter { $0.camera != nil }) { $0.camera ?? "" }
    for (camera, photos) in byCamera
    where photos.contains(where: { $0.exactTime == nil && $0.position == nil }) {
      cameras[camera] = finder.clock(of: photos)
    }
  }

  private mutating func find(_ proposal: inout PhotoProposal) {
    let facts = proposal.facts
    if let exact = facts.exactTime {
      (proposal.time, proposal.clock) = (exact.time, exact.source)
      proposal.offset = facts.clockTime?.offset.map(ClockOffset.init(milliseconds:))
      return
    }
    guard let local = facts.clockTime?.local else { return }
    let known = statedOffset ?? facts.camera.flatMap { cameras[$0]?.offset }
    if let known {
      proposal.time = Timestamp(millisecondsSince1970: local - known.milliseconds)
      (proposal.offset, proposal.clock) = (known, statedOffset == nil ? .camera : .option)
    } else if let moment = clock.moment(atLocal: local) {
      proposal.time = moment.time
      (proposal.offset, proposal.clock) = (ClockOffset(milliseconds: moment.offset), .place)
    }
  }
}
