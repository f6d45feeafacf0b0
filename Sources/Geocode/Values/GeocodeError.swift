/// An error of opening packed geodata.
///
/// ```swift
/// do {
///   print(try Geocoder(contentsOfFolder: "geodata").vintage)
/// } catch GeocodeError.unreadable(let path, let code) {
///   print("\(path) cannot be read: error \(code)")
/// }
/// ```
public enum GeocodeError: Error, Equatable, Sendable {
  /// The file could not be opened or read. `code` is the system's `errno`.
  case unreadable(path: String, code: Int32)
  /// The bytes do not begin like packed geodata.
  case notGeodata(GeodataKind)
  /// This program does not know the format of the data: the program is older, or the file is much
  /// older.
  case unsupportedVersion(GeodataKind, found: Int)
  /// The file is of another kind than expected.
  case wrongKind(expected: GeodataKind, found: Int)
  /// The file is shorter or longer than its header states.
  case wrongLength(GeodataKind, stated: Int, found: Int)
  /// The bytes were changed after they were written.
  case checksumMismatch(GeodataKind)
  /// A section is missing, or an offset or count in it does not fit the rest.
  case damaged(GeodataKind, section: String)
}

/// The packed files. The raw value is the number stored in the file.
///
/// ```swift
/// do {
///   print(try Geocoder(contentsOfFolder: "geodata").vintage)
/// } catch GeocodeError.checksumMismatch(let kind) {
///   print("The file with the \(kind) is damaged.")
/// }
/// ```
public enum GeodataKind: Int, Sendable, CaseIterable {
  /// Countries and time zones.
  case boundaries = 1
  /// First-level divisions of countries.
  case regions = 2
  /// Land and sea.
  case land = 3
  /// Places and all names.
  case places = 4
  /// Names in other languages.
  case names = 5
  /// Oceans and seas.
  case seas = 6

  /// The name of the file, as in `boundaries.bin`.
  package var fileName: String {
    switch self {
    case .boundaries: "boundaries.bin"
    case .regions: "regions.bin"
    case .land: "land.bin"
    case .places: "places.bin"
    case .names: "names.bin"
    case .seas: "seas.bin"
    }
  }
}
