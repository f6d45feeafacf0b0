import GeoStore
import Profiles
import Roqua

/// The list of profiles.
struct ProfileSummary {
  private let folder: ProfileFolder
  /// Whether there are profiles: if not, the only one has no id yet.
  private let isInUse: Bool
  private let registry: ProfileRegistry
  private let rows: [Row]

  /// What is known of a profile's files.
  private struct Row {
    let profile: Profile
    let bytes: Int
    /// Nil if the store cannot be read.
    let keptFixes: Int?
    let changedAt: Timestamp?
    /// Why the store cannot be read.
    let failure: String?
    /// Whether the store is locked, which is no failure.
    var isLocked = false
  }

  init(_ folder: ProfileFolder, isInUse: Bool, _ registry: ProfileRegistry) {
    (self.folder, self.isInUse, self.registry) = (folder, isInUse, registry)
    rows = registry.profiles.map { profile in
      // Before the store is opened, which may change its files.
      let (bytes, changedAt) = (folder.byteCount(of: profile), folder.changedAt(profile))
      do throws(DatabaseError) {
        let kept = try Self.keptFixes(folder.storePath(of: profile), isInUse ? profile.id : nil)
        return Row(
          profile: profile, bytes: bytes, keptFixes: kept, changedAt: changedAt, failure: nil)
      } catch .locked {
        return Row(
          profile: profile, bytes: bytes, keptFixes: nil, changedAt: changedAt, failure: nil,
          isLocked: true)
      } catch {
        return Row(
          profile: profile, bytes: bytes, keptFixes: nil, changedAt: changedAt,
          failure: error.description)
      }
    }
  }

  /// The number of kept fixes in a store; 0 if there is no store.
  private static func keptFixes(_ path: String, _ id: ProfileID?) throws(DatabaseError) -> Int {
    var options = StoreOptions()
    options.savesMemory = true
    options.profileID = id?.text
    do throws(DatabaseError) {
      return try Store(path: path, creating: false, options: options)
        .withSnapshot { (snapshot) throws(DatabaseError) in
          try snapshot.overview(cities: 0).keptFixes
        }
    } catch {
      guard case .missing = error else { throw error }
      return 0
    }
  }

  /// Prints the list for people.
  func print() {
    var table = Table([.left, .left, .right, .right, .left])
    for row in rows {
      let fixes = row.keptFixes.map { Wording.count($0, "kept fix", "kept fixes") }
      table.add([
        row.profile.id == registry.selectedID ? "*" : "", row.profile.name,
        row.bytes == 0 ? "empty" : Wording.bytes(row.bytes),
        row.bytes == 0 ? "" : row.isLocked ? "locked" : fixes ?? "–",
        row.changedAt.map { "changed \($0.iso8601.prefix(10))" } ?? "",
      ])
    }
    table.lines().forEach(Console.print)
    for entry in registry.erased {
      let until = entry.keptUntil.iso8601
      Console.print(
        "erased: \(entry.profile.name) (id \(entry.id.text.prefix(8))), can be recovered until "
          + "\(until.prefix(10)) \(until.dropFirst(11).prefix(5)) UTC")
    }
    for failure in rows.compactMap(\.failure) { Console.printError("roqua: \(failure)") }
  }

  /// The list as JSON.
  var json: JSONValue {
    let profiles = rows.map { row -> JSONValue in
      [
        "id": isInUse ? .string(row.profile.id.text) : .null, "name": .string(row.profile.name),
        "selected": .bool(row.profile.id == registry.selectedID),
        "store": .string(folder.storePath(of: row.profile)), "bytes": .integer(row.bytes),
        "keptFixes": .integer(row.keptFixes), "changedAt": .string(row.changedAt?.iso8601),
        "createdAt": isInUse ? .string(row.profile.createdAt.iso8601) : .null,
        "locked": .bool(row.isLocked), "error": .string(row.failure),
      ]
    }
    let erased = registry.erased.map { entry -> JSONValue in
      [
        "id": .string(entry.id.text), "name": .string(entry.profile.name),
        "erasedAt": .string(entry.erasedAt.iso8601),
        "recoverableUntil": .string(entry.keptUntil.iso8601),
      ]
    }
    return [
      "profiles": .array(profiles), "erased": .array(erased),
      "storeOverride": .string(SelectedProfile.environmentPath),
    ]
  }
}

extension Profile {
  /// The profile as JSON.
  var json: JSONValue { ["id": .string(id.text), "name": .string(name)] }
}
