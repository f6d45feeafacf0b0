import ByteStreams
import Geodesy

/// The list of profiles, which of them is selected, and which were erased: a pure value. A
/// ``ProfileFolder`` stores it.
///
/// Every value has at least one profile, exactly one of them selected; identifications and names
/// are unique; and at most one profile is in the data folder itself.
///
/// ```swift
/// import Profiles
///
/// let folder = ProfileFolder(path: "/path/to/data")
/// let registry = try folder.registryOrFirst()
/// for profile in registry.profiles {
///   print(profile == registry.selected ? "*" : " ", profile.name)
/// }
/// print("\(registry.erased.count) can be recovered")
/// ```
public struct ProfileRegistry: Hashable, Sendable {
  /// The profiles, in the order in which they were created. Never empty.
  public private(set) var profiles: [Profile]
  /// The identification of the selected profile.
  package private(set) var selectedID: ProfileID
  /// The erased profiles that can be recovered, in the order in which they were erased.
  public private(set) var erased: [ErasedProfile]

  /// How long an erased profile can be recovered: 24 hours.
  package static let recoverySeconds = 86_400

  /// The name of the first profile, until it is renamed.
  package static let firstName = "default"

  /// Creates a list with one profile, which is selected.
  init(first: Profile) {
    (profiles, selectedID, erased) = ([first], first.id, [])
  }

  /// Creates a list from its parts.
  ///
  /// - Throws: ``InvalidList`` with the rule that they break.
  init(
    profiles: [Profile], selectedID: ProfileID, erased: [ErasedProfile]
  ) throws(InvalidList) {
    (self.profiles, self.selectedID, self.erased) = (profiles, selectedID, erased)
    if let reason = brokenRule { throw InvalidList(reason: reason) }
  }

  /// The rule that a list breaks, in one sentence without its end.
  struct InvalidList: Error, Hashable { let reason: String }

  /// The rule that this list breaks; nil if it breaks none.
  private var brokenRule: String? {
    if profiles.isEmpty { return "it has no profile" }
    let all = profiles + erased.map(\.profile)
    if Set(all.map(\.id)).count < all.count { return "an id is there twice" }
    if Set(profiles.map { ProfileName.key($0.name) }).count < profiles.count {
      return "a name is there twice"
    }
    if let name = all.map(\.name).first(where: { ProfileName.reasonToRefuse($0) != nil }) {
      // Anybody may have written it, and an app may print it on a terminal.
      return "\"\(name.safeForTerminals)\" is not a name"
    }
    if !profiles.contains(where: { $0.id == selectedID }) {
      return "the selected profile is not in it"
    }
    let inDataFolder =
      profiles.count(where: \.isInDataFolder)
      + erased.count(where: { $0.profile.isInDataFolder && !$0.isMoved })
    if inDataFolder > 1 { return "two profiles are in the data folder" }
    if erased.contains(where: { $0.keptUntil < $0.erasedAt }) {
      return "a profile was erased later than it is kept"
    }
    return nil
  }

  /// The selected profile.
  public var selected: Profile {
    guard let profile = profiles.first(where: { $0.id == selectedID }) else {
      preconditionFailure("the selected profile is in the list")
    }
    return profile
  }

  /// Returns the profile with a name, or with an identification that begins with at least eight
  /// given digits. Upper and lower case of names do not matter.
  ///
  /// - Throws: ``ProfileError/noSuchProfile(selector:names:)`` and
  ///   ``ProfileError/ambiguous(selector:ids:)``.
  public func profile(_ selector: String) throws(ProfileError) -> Profile {
    let found = Self.matches(selector, profiles, name: \.name, id: \.id)
    guard let first = found.first else {
      throw .noSuchProfile(selector: selector, names: profiles.map(\.name))
    }
    guard found.count == 1 else {
      throw .ambiguous(selector: selector, ids: found.map(\.id.text))
    }
    return first
  }

  /// Returns the erased profile with a name, or with an identification that begins with at least
  /// eight given digits. Several may have the same name.
  ///
  /// - Throws: ``ProfileError/noSuchErasedProfile(selector:)`` and
  ///   ``ProfileError/ambiguous(selector:ids:)``.
  package func erasedProfile(_ selector: String) throws(ProfileError) -> ErasedProfile {
    let found = Self.matches(selector, erased, name: \.profile.name, id: \.id)
    guard let first = found.first else { throw .noSuchErasedProfile(selector: selector) }
    guard found.count == 1 else {
      throw .ambiguous(selector: selector, ids: found.map(\.id.text))
    }
    return first
  }

  /// The fewest digits by which an identification is found.
  static let fewestDigits = 8

  /// The elements with a name; if there are none, those whose identification begins with the text.
  private static func matches<Element>(
    _ selector: String, _ list: [Element], name: KeyPath<Element, String>,
    id: KeyPath<Element, ProfileID>
  ) -> [Element] {
    let key = ProfileName.key(selector)
    let named = list.filter { ProfileName.key($0[keyPath: name]) == key }
    guard named.isEmpty, key.utf8.count >= fewestDigits else { return named }
    return list.filter { $0[keyPath: id].text.hasPrefix(key) }
  }
}

// MARK: Changes

extension ProfileRegistry {
  /// Adds a profile.
  ///
  /// - Throws: ``ProfileError/invalidName(name:reason:)`` and ``ProfileError/nameTaken(name:)``.
  mutating func create(
    named text: String, id: ProfileID, at time: Timestamp
  ) throws(ProfileError) -> Profile {
    let profile = Profile(id: id, name: try freeName(text), createdAt: time)
    profiles.append(profile)
    return profile
  }

  /// Gives a profile another name.
  ///
  /// - Throws: ``ProfileError``, as ``profile(_:)`` and ``create(named:id:at:)`` do.
  mutating func rename(_ selector: String, to text: String) throws(ProfileError) -> Profile {
    let id = try profile(selector).id
    let name = try freeName(text, except: id)
    guard let index = profiles.firstIndex(where: { $0.id == id }) else {
      preconditionFailure("the profile was found above")
    }
    profiles[index].name = name
    return profiles[index]
  }

  /// Selects a profile.
  mutating func select(_ id: ProfileID) {
    precondition(profiles.contains { $0.id == id }, "a profile of the list")
    selectedID = id
  }

  /// Moves a profile to the erased ones.
  ///
  /// - Parameters:
  ///   - seconds: how long it can be recovered.
  ///   - replacement: the identification of a new profile, which is made if this is the last one.
  /// - Throws: ``ProfileError/isSelected(name:)`` if it is selected and there are others.
  mutating func erase(
    _ id: ProfileID, at time: Timestamp, keptFor seconds: Int, replacement: ProfileID
  ) throws(ProfileError) -> ErasedProfile {
    guard let index = profiles.firstIndex(where: { $0.id == id }) else {
      preconditionFailure("a profile of the list")
    }
    let profile = profiles[index]
    guard id != selectedID || profiles.count == 1 else { throw .isSelected(name: profile.name) }
    let entry = ErasedProfile(
      profile: profile, erasedAt: time,
      keptUntil: Timestamp(
        millisecondsSince1970: time.millisecondsSince1970 + Int64(seconds) * 1_000),
      isMoved: false)
    profiles.remove(at: index)
    erased.append(entry)
    if profiles.isEmpty {
      self.profiles = [Profile(id: replacement, name: Self.firstName, createdAt: time)]
      selectedID = replacement
    }
    return entry
  }

  /// Notes that all files of an erased profile are in its folder of erased profiles.
  mutating func setMoved(_ id: ProfileID) {
    for index in erased.indices where erased[index].id == id { erased[index].isMoved = true }
  }

  /// Makes an erased profile one of the profiles again, in a folder of its own.
  ///
  /// - Parameter newName: its name; nil for the one that it had.
  /// - Throws: ``ProfileError/nameTaken(name:)`` and ``ProfileError/invalidName(name:reason:)``.
  mutating func recover(
    _ id: ProfileID, named newName: String?
  ) throws(ProfileError) -> Profile {
    guard let index = erased.firstIndex(where: { $0.id == id }) else {
      preconditionFailure("an erased profile of the list")
    }
    var profile = erased[index].profile
    profile.name = try freeName(newName ?? profile.name)
    profile.isInDataFolder = false
    erased.remove(at: index)
    profiles.append(profile)
    return profile
  }

  /// Removes an erased profile from the list for good.
  mutating func dropErased(_ id: ProfileID) { erased.removeAll { $0.id == id } }

  /// Ends the time in which an erased profile can be recovered.
  mutating func expireErased(_ id: ProfileID) {
    erased = erased.map { entry in
      guard entry.id == id else { return entry }
      return ErasedProfile(
        profile: entry.profile, erasedAt: entry.erasedAt, keptUntil: entry.erasedAt,
        isMoved: entry.isMoved)
    }
  }

  /// Adds a profile whose files were found, and which is not in the list.
  mutating func adopt(_ profile: Profile) {
    precondition(!profiles.contains { $0.id == profile.id }, "a profile that is not in the list")
    profiles.append(profile)
  }

  /// Adds an erased profile whose files were found, and which is not in the list.
  mutating func adopt(_ entry: ErasedProfile) {
    precondition(!erased.contains { $0.id == entry.id }, "a profile that is not in the list")
    erased.append(entry)
  }

  /// Returns a name that no profile has, made of a beginning and, if needed, a number.
  func unusedName(_ beginning: String) -> String {
    let used = Set(profiles.map { ProfileName.key($0.name) })
    var (name, number) = (beginning, 2)
    while used.contains(ProfileName.key(name)) {
      name = "\(beginning) \(number)"
      number += 1
    }
    return name
  }

  private func freeName(
    _ text: String, except id: ProfileID? = nil
  ) throws(ProfileError) -> String {
    let name = try ProfileName.checked(text)
    let key = ProfileName.key(name)
    if let taken = profiles.first(where: { $0.id != id && ProfileName.key($0.name) == key }) {
      throw .nameTaken(name: taken.name)
    }
    return name
  }
}
