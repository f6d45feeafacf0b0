/// The start of a processing instruction, of which only the XML declaration matters.
struct XMLDeclaration {
  private var text = BoundedText(limit: XMLLimits.valueBytes)
  /// True if the instruction is an XML declaration, known after four bytes.
  private(set) var isXML = false

  /// Starts another instruction.
  mutating func reset() {
    text.reset()
    isXML = false
  }

  /// Takes one byte after the `<?`.
  mutating func take(_ byte: UInt8) {
    let isFourth = text.count == 3
    text.append(byte)
    if isFourth {
      isXML = text.withBytes { $0.starts(with: "xml".utf8) } && DecimalText.isSpace(byte)
    }
  }

  /// The name after `encoding=`; nil if there is none. Only letters, digits and `._:-()`, so it is
  /// safe to display.
  var encodingName: String? {
    let text = text.withBytes { Array($0) }
    let key = Array("encoding".utf8)
    guard let start = text.indices.first(where: { text[$0...].starts(with: key) }) else {
      return nil
    }
    let rest = text[(start + key.count)...].drop {
      DecimalText.isSpace($0) || $0 == 0x3D || $0 == 0x22 || $0 == 0x27
    }
    let name = rest.prefix { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2E, 0x5F, 0x3A, 0x2D, 0x28, 0x29: true
      default: false
      }
    }
    return name.isEmpty || name.count > 40 ? nil : String(decoding: name, as: UTF8.self)
  }
}
