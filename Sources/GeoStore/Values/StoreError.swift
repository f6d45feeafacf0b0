/// An error of a store, other than those of its file (`DatabaseError`).
///
/// The description is one line that names the store and says what to do.
///
/// ```swift
/// do {
///   print(try await explorer.forget(sources: [7]).fixes)
/// } catch StoreError.noSuchSource {
///   print("Source 7 is not in the store.")
/// }
/// ```
public enum StoreError: Error, Hashable, Sendable {
  /// A setting does not exist, or its value is out of range.
  case setting(key: String, reason: String)
  /// The cells belong to the grid of one exploration radius, in meters, and the store has another.
  case gridMismatch(path: String, radiusMeters: Double, storeRadiusMeters: Double)
  /// No source has this number, path or SHA-256 prefix.
  case noSuchSource(path: String, selector: String)
  /// Several sources have this path or SHA-256 prefix; `ids` are their numbers.
  case ambiguousSource(path: String, selector: String, ids: [Int64])
  /// A privacy zone cannot be added for this reason.
  case invalidZone(path: String, reason: String)
  /// No privacy zone has this number or name.
  case noSuchZone(path: String, selector: String)
  /// The recording was forgotten while in progress: nothing more can be stored in it.
  case recordingForgotten(path: String, id: Int64)
  /// The file to adopt is not a database of the Roqua app, or cannot be read.
  case notAnAppDatabase(path: String, reason: String)
}

extension StoreError: CustomStringConvertible {
  /// One line: the store, the problem, and what to do.
  public var description: String {
    switch self {
    case .setting(let key, let reason): "\(key): \(reason)"
    case .gridMismatch(let path, let radius, let storeRadius):
      "\(path): the store's exploration radius is \(StoreSettings.text(storeRadius)) m, but these "
        + "cells have \(StoreSettings.text(radius)) m; import them into a store with that radius"
    case .noSuchSource(let path, let selector):
      "\(path): no source matches \(selector); give its number, its path, or at least the first "
        + "eight digits of its SHA-256"
    case .ambiguousSource(let path, let selector, let ids):
      "\(path): \(selector) matches the sources "
        + "\(ids.map(String.init).joined(separator: ", ")); give one by its number"
    case .invalidZone(let path, let reason): "\(path): \(reason)"
    case .noSuchZone(let path, let selector): "\(path): no privacy zone matches \(selector)"
    case .recordingForgotten(let path, let id):
      "\(path): the recording (source \(id)) was forgotten while in progress; start a new one"
    case .notAnAppDatabase(let path, let reason):
      "\(path): not a database of the Roqua app that can be adopted: \(reason)"
    }
  }
}
