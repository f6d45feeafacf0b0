/// What a database says about itself as a whole.
package struct ExportDescription: Hashable, Sendable {
  /// The title for people.
  package let title: String
  /// The program and its version that wrote the file.
  package let creator: String
  /// The time of the export, as milliseconds since 1970-01-01T00:00:00Z.
  package let created: Int64

  /// Creates a description.
  package init(title: String, creator: String, created: Int64) {
    (self.title, self.creator, self.created) = (title, creator, created)
  }

  /// A Dublin Core document in XML.
  ///
  /// - Parameters:
  ///   - mediaType: the media type of the file.
  ///   - layers: the layers and the number of their features.
  /// - Source: "Dublin Core Metadata Element Set", version 1.1.
  func dublinCore(mediaType: String, layers: [(layer: ExportLayer, count: Int)]) -> String {
    let contents = layers.map { "\($0.layer.title): \($0.count)" }.joined(separator: "; ")
    let elements = [
      ("title", title), ("creator", creator), ("date", DatabaseTime.text(created)),
      ("type", "Dataset"), ("format", mediaType), ("description", contents),
    ]
    let lines = elements.map { "  <dc:\($0.0)>\(Self.escaped($0.1))</dc:\($0.0)>\n" }.joined()
    return "<metadata xmlns:dc=\"\(Self.standard)\">\n\(lines)</metadata>\n"
  }

  /// The name space of Dublin Core.
  static let standard = "http://purl.org/dc/elements/1.1/"

  private static func escaped(_ text: String) -> String {
    text.reduce(into: "") { result, character in
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      default: result.append(character)
      }
    }
  }
}
