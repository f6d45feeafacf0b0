import Foundation

#if canImport(FoundationXML)
  import FoundationXML
#endif

/// An element of an XML document parsed by Foundation, which shares no code with the writers.
struct XMLTree {
  /// The name with its prefix.
  var name = ""
  var attributes: [String: String] = [:]
  var children: [XMLTree] = []
  /// The text directly in the element.
  var text = ""

  init() {}

  init(parsing document: String) throws {
    let parser = XMLParser(data: Data(document.utf8))
    let builder = Builder()
    parser.delegate = builder
    guard parser.parse(), let root = builder.open.first?.children.first else {
      throw parser.parserError ?? CocoaError(.fileReadCorruptFile)
    }
    self = root
  }

  /// The children of a name.
  subscript(name: String) -> [XMLTree] { children.filter { $0.name == name } }

  /// All elements of a name in the element, in the order of the document.
  func all(_ name: String) -> [XMLTree] {
    (self.name == name ? [self] : []) + children.flatMap { $0.all(name) }
  }

  private final class Builder: NSObject, XMLParserDelegate {
    var open = [XMLTree()]

    func parser(
      _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
      qualifiedName: String?, attributes: [String: String]
    ) {
      var element = XMLTree()
      (element.name, element.attributes) = (name, attributes)
      open.append(element)
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) {
      open[open.count - 1].text += string
    }

    func parser(
      _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
      qualifiedName: String?
    ) {
      let element = open.removeLast()
      open[open.count - 1].children.append(element)
    }
  }
}
