/// An error of the profiles. The description is one line.
///
/// ```swift
/// import Profiles
///
/// do {
///   print(try ProfileFolder(path: "/path/to/data").remove("work").name)
/// } catch ProfileError.inUse(let name, _) {
///   print("Close \(name) first.")
/// } catch {
///   print(error)
/// }
/// ```
public enum ProfileError: Error, Hashable, Sendable {
  /// The text is not a name for a profile.
  case invalidName(name: String, reason: String)
  /// Another profile has this name, or one that differs only in upper and lower case.
  case nameTaken(name: String)
  /// No profile has this name or identification. `names` are those of all profiles.
  case noSuchProfile(selector: String, names: [String])
  /// No erased profile has this name or identification.
  case noSuchErasedProfile(selector: String)
  /// Several profiles have this name, or an identification that begins with this text.
  case ambiguous(selector: String, ids: [String])
  /// The profile is selected, so it cannot be removed.
  case isSelected(name: String)
  /// Meanwhile another process selected the profile of this name.
  case selectionChanged(name: String)
  /// Another process has the profile open, so it cannot be erased.
  case inUse(name: String, reason: String?)
  /// The profile cannot be erased, because its files are elsewhere: `path` is a symbolic link.
  case linked(name: String, path: String)
  /// Erasing at once would delete sources that were not synced.
  case unsynced(name: String, sources: Int)
  /// The list of profiles cannot be read. Nothing else is read then, because it is unknown which
  /// profile is selected.
  case damaged(path: String, reason: String)
  /// The list of profiles was written by a newer version of Roqua.
  case newerVersion(path: String)
  /// A file or folder cannot be read, written or moved.
  case file(path: String, reason: String)
  /// A change of the profiles was canceled by the person who was asked.
  case canceled
}

extension ProfileError: CustomStringConvertible {
  /// One line: the problem, and what to do if that does not depend on the program.
  public var description: String {
    switch self {
    case .invalidName(let name, let reason):
      name.allSatisfy(\.isWhitespace)
        ? "the name of a profile cannot be empty"
        : "the name of a profile cannot be \(name): \(reason)"
    case .nameTaken(let name): "there is already a profile named \(name); choose another name"
    case .noSuchProfile(let selector, let names):
      "no profile is named \(selector); there "
        + (names.count == 1 ? "is only \(names[0])" : "are \(names.joined(separator: ", "))")
    case .noSuchErasedProfile(let selector):
      "no erased profile named \(selector) can be recovered"
    case .ambiguous(let selector, let ids):
      "\(selector) matches several profiles; give the first digits of an id: "
        + ids.joined(separator: ", ")
    case .isSelected(let name):
      "\(name) is the selected profile; switch to another one first"
    case .selectionChanged(let name):
      "another process selected \(name) meanwhile; nothing was changed"
    case .inUse(let name, let reason):
      "the profile \(name) cannot be erased: \(reason ?? "another process has it open"); nothing "
        + "was changed"
    case .linked(let name, let path):
      "the profile \(name) cannot be erased: \(path) is a symbolic link, and the file that it "
        + "names would remain; remove both yourself"
    case .unsynced(let name, let sources):
      "\(sources == 1 ? "1 source" : "\(sources) sources") of \(name) would be lost"
    case .damaged(let path, let reason):
      "\(path): the list of profiles is damaged: \(reason)"
    case .newerVersion(let path): "\(path): written by a newer Roqua; update Roqua"
    case .file(let path, let reason): "\(path): \(reason)"
    case .canceled: "nothing was changed"
    }
  }
}
