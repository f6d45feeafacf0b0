/// The purpose of a FIT file, from its `file_id` message.
///
/// - Source: FIT profile, type `file`.
struct FITFileType: Equatable {
  let number: UInt8

  /// Whether the positions are a plan, not a journey.
  var isPlan: Bool { number == 6 }

  /// The name for a person; nil for types without one.
  var name: String? {
    switch number {
    case 1: "device"
    case 2: "settings"
    case 3: "sport settings"
    case 4: "activity"
    case 5: "workout"
    case 6: "course"
    case 7: "schedules"
    case 9: "weight"
    case 10: "totals"
    case 11: "goals"
    case 14: "blood pressure"
    case 15, 28, 32: "monitoring"
    case 20: "activity summary"
    case 34: "segment"
    case 35: "list of segments"
    default: nil
    }
  }
}
