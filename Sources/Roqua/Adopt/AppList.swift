import ByteStreams
import Foundation
import Geodesy
import GridHash
import TrackIngest

/// A list of the Roqua app in a JSON file, with the value of each entry; nil for an entry that has
/// none.
struct AppList<Element> {
  let path: String
  let sha256: String
  let bytes: Int
  let elements: [Element?]
  private let text: [UInt8]
  private let places: [Range<Int>]

  /// - Throws: ``ExplorerError/file(path:reason:)`` if the file cannot be read or is not a JSON
  ///   list.
  init<Entry: Decodable>(
    path: String, of _: Entry.Type, _ body: (Entry) -> Element?
  ) throws {
    self.path = path
    do {
      text = try FilePath(path).contents()
    } catch {
      throw ExplorerError.file(path: path, reason: "it cannot be read (\(error.reason))")
    }
    let data = Data(text)
    // RFC 8259, section 8.1: JSON is UTF-8.
    guard String(validating: text, as: UTF8.self) != nil,
      let entries = try? JSONDecoder().decode([Lenient<Entry>].self, from: data),
      case let places = JSONListText.entries(text), places.count == entries.count
    else {
      throw ExplorerError.file(path: path, reason: "it is not a JSON list; nothing was stored")
    }
    self.places = places
    var hash = SHA256()
    data.withUnsafeBytes { hash.update($0) }
    sha256 = hash.finalizeHexadecimal()
    bytes = data.count
    elements = entries.map { $0.value.flatMap(body) }
  }

  /// The text of an entry in the file.
  func original(_ index: Int) -> String { String(decoding: text[places[index]], as: UTF8.self) }
}

/// An entry of a list; nil if it has another form.
private struct Lenient<Value: Decodable>: Decodable {
  let value: Value?

  init(from decoder: any Decoder) throws { value = try? Value(from: decoder) }
}

/// An entry of the app's `exploredCircles`.
struct ExploredCircle: Decodable {
  let latitude: Double
  let longitude: Double
}
