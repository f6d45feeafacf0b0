/// The places of extensions in fix records, which an I record declares.
struct IGCExtensions {
  /// The accuracy in meters, 68 % (FXA).
  private(set) var accuracy: Range<Int>?
  /// The speed over ground in km/h (GSP).
  private(set) var speed: Range<Int>?
  /// Further digits of the minutes (LAD, LOD).
  private(set) var latitudeDigits: Range<Int>?
  private(set) var longitudeDigits: Range<Int>?

  /// Fix records without extensions.
  init() {}

  /// The extensions of an I record: a count, and for each the first and last character, counted
  /// from 1, and a code of three letters.
  init(_ record: IGCRecord) {
    guard let count = record.number(1..<3) else { return }
    for index in 0..<count {
      let place = 3 + 7 * index
      guard let first = record.number(place..<place + 2),
        let last = record.number(place + 2..<place + 4), first > 0, last >= first
      else { return }
      let range = first - 1..<last
      if record.has("FXA", at: place + 4) { accuracy = range }
      if record.has("GSP", at: place + 4) { speed = range }
      if record.has("LAD", at: place + 4) { latitudeDigits = range }
      if record.has("LOD", at: place + 4) { longitudeDigits = range }
    }
  }
}
