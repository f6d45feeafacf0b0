import Foundation
import Geodesy

/// The list as bytes: one JSON object, which `docs/profiles.md` describes.
extension ProfileRegistry {
  /// The version of the format that this code writes and reads.
  static let version = 1

  /// The reason why bytes are not a list.
  enum ReadFailure: Error, Hashable {
    /// A newer version of Roqua wrote them.
    case newerVersion
    /// Anything else, in one sentence without its end.
    case damaged(reason: String)
  }

  /// The bytes of the list.
  var bytes: [UInt8] {
    let document = Document(
      version: Self.version, selected: selectedID.text, profiles: profiles.map(Document.Row.init),
      erased: erased.map { entry in
        var row = Document.Row(entry.profile)
        row.erasedAt = entry.erasedAt.iso8601
        row.keptUntil = entry.keptUntil.iso8601
        row.isMoved = entry.isMoved
        return row
      })
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    // Encoding fails only for numbers that JSON does not have; a registry has no such numbers.
    guard let data = try? encoder.encode(document) else {
      preconditionFailure("a list of texts and flags can be encoded")
    }
    return Array(data) + [UInt8(ascii: "\n")]
  }

  /// Reads a list from its bytes.
  ///
  /// - Throws: ``ReadFailure`` if they are incomplete, changed, or of a newer version.
  init(bytes: [UInt8]) throws(ReadFailure) {
    let decoder = JSONDecoder()
    let data = Data(bytes)
    if let head = try? decoder.decode(Head.self, from: data), head.version > Self.version {
      throw .newerVersion
    }
    let document: Document
    do {
      document = try decoder.decode(Document.self, from: data)
    } catch {
      throw .damaged(reason: Self.reason(error, byteCount: bytes.count))
    }
    guard document.version == Self.version else {
      throw .damaged(reason: "its version is \(document.version)")
    }
    guard let selectedID = ProfileID(document.selected) else {
      throw .damaged(reason: "the id of the selected profile is not an id")
    }
    let profiles = try document.profiles.map { (row) throws(ReadFailure) in try row.profile() }
    let erased = try document.erased.map { (row) throws(ReadFailure) in try row.erasedProfile() }
    do throws(InvalidList) {
      try self.init(profiles: profiles, selectedID: selectedID, erased: erased)
    } catch {
      throw .damaged(reason: error.reason)
    }
  }

  private static func reason(_ error: any Error, byteCount: Int) -> String {
    let size = "\(byteCount) \(byteCount == 1 ? "byte" : "bytes")"
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      return "\(key.stringValue) is missing\(place(context))"
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      let name = context.codingPath.last { $0.intValue == nil }?.stringValue ?? "the document"
      return "\(name) has the wrong type\(place(context))"
    default: return "its \(size) are not one whole JSON document"
    }
  }

  /// Where in a list an error is: ` of profile 2`.
  private static func place(_ context: DecodingError.Context) -> String {
    guard let list = context.codingPath.first?.stringValue,
      let index = context.codingPath.dropFirst().first?.intValue
    else { return "" }
    return " of \(list == "erased" ? "erased profile" : "profile") \(index + 1)"
  }

  /// What every version has.
  private struct Head: Decodable { let version: Int }

  /// The members of the JSON object.
  private struct Document: Codable {
    let version: Int
    let selected: String
    let profiles: [Row]
    let erased: [Row]

    struct Row: Codable {
      let id: String
      let name: String
      let createdAt: String
      let isInDataFolder: Bool
      var erasedAt: String?
      var keptUntil: String?
      var isMoved: Bool?

      init(_ profile: Profile) {
        (id, name) = (profile.id.text, profile.name)
        (createdAt, isInDataFolder) = (profile.createdAt.iso8601, profile.isInDataFolder)
      }

      func profile() throws(ReadFailure) -> Profile {
        guard let id = ProfileID(id) else { throw .damaged(reason: "an id is not an id") }
        return Profile(
          id: id, name: name, createdAt: try Self.time(createdAt), isInDataFolder: isInDataFolder)
      }

      func erasedProfile() throws(ReadFailure) -> ErasedProfile {
        guard let isMoved else {
          throw .damaged(reason: "isMoved of an erased profile is missing")
        }
        return ErasedProfile(
          profile: try profile(), erasedAt: try Self.time(erasedAt),
          keptUntil: try Self.time(keptUntil), isMoved: isMoved)
      }

      private static func time(_ text: String?) throws(ReadFailure) -> Timestamp {
        guard let text, let time = Timestamp(iso8601: text) else {
          throw .damaged(reason: "a time is not ISO 8601")
        }
        return time
      }
    }
  }
}
