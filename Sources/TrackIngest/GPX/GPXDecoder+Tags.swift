extension GPXDecoder {
  /// A `<` begins something.
  mutating func openToken(_ at: Position) {
    state = .tagOpen
    tokenLine = lines.line(at: at)
    isAtStart = !sawAnyByte
    sawAnyByte = true
    sawContent = true
  }

  /// The byte after `<`.
  mutating func scanTagOpen(_ byte: UInt8, _ at: Position, _ sink: inout some TrackSink) -> Position {
    switch byte {
    case 0x2F:
      state = .endName
      resetName()
    case 0x21:
      state = .declarationOpen
      run = 0
    case 0x3F:
      state = .instruction
      isDeclaration = false
      instructionCount = 0
      run = 0
    case 0x41...0x5A, 0x61...0x7A, 0x5F, 0x3A, 0x80...0xFF:
      state = .startName
      resetName()
      resetTag()
      addToName(byte)
    default:
      state = .text
      sink.warn(.malformed, line: tokenLine, "a < that is not written as &lt;")
      if textUse == .captured { append(0x3C) }
      if textUse == .outside { noteJunk(tokenLine, &sink) }
      return at
    }
    return at + 1
  }

  /// Everything in a start tag but values in quotes.
  mutating func scanStartTag(
    _ byte: UInt8, _ at: Position, _ end: Position, _ sink: inout some TrackSink
  ) -> Position {
    if state == .startName, Self.isNameByte(byte) { return addToName(at, end) }
    if state == .attributeName, Self.isNameByte(byte) { return addToAttribute(at, end) }
    if byte == 0x3C { return breakTag(at, &sink) }
    let isSpace = DecimalText.isSpace(byte)
    if state == .afterValue {
      // A blank belongs between two attributes.
      if !isSpace, byte != 0x3E, byte != 0x2F { tagIsOdd = true }
      state = .tagSpace
    }
    if state == .unquotedValue, !isSpace, byte != 0x3E, byte != 0x2F {
      if attributeUse != .ignored { append(byte) }
      return at + 1
    }
    if state == .tagSlash {
      if byte == 0x3E {
        closeStartTag(isEmpty: true, &sink)
        return at + 1
      }
      tagIsOdd = true
      state = .tagSpace
      return at
    }
    switch byte {
    case 0x3E:
      endAttribute(&sink)
      closeStartTag(isEmpty: false, &sink)
    case 0x2F:
      endAttribute(&sink)
      state = .tagSlash
    case 0x20, 0x0A, 0x0D, 0x09:
      switch state {
      case .startName: state = .tagSpace
      case .attributeName: state = .afterAttributeName
      case .unquotedValue:
        endValue(&sink)
        state = .tagSpace
      default: break
      }
    default: scanTagByte(byte)
    }
    return at + 1
  }

  /// A byte of a start tag that is neither space nor its end.
  private mutating func scanTagByte(_ byte: UInt8) {
    let isQuote = byte == 0x22 || byte == 0x27
    switch state {
    case .startName: addToName(byte)
    case .tagSpace:
      if isQuote || byte == 0x3D { tagIsOdd = true } else { beginAttribute(byte) }
    case .attributeName:
      if byte == 0x3D {
        decideAttribute()
      } else if isQuote {
        tagIsOdd = true
        state = .tagSpace
      } else if attributeCount < Self.nameLimit {
        attribute[attributeCount] = byte
        attributeCount += 1
      } else {
        isAttributeTooLong = true
      }
    case .afterAttributeName:
      if byte == 0x3D {
        decideAttribute()
      } else {
        tagIsOdd = true
        beginAttribute(byte)
      }
    case .beforeValue:
      if isQuote {
        quote = byte
        state = .quotedValue
      } else {
        tagIsOdd = true
        state = .unquotedValue
        if attributeUse != .ignored { append(byte) }
      }
    default: break
    }
  }

  /// The tag ends where an attribute is not whole.
  private mutating func endAttribute(_ sink: inout some TrackSink) {
    switch state {
    case .unquotedValue: endValue(&sink)
    case .attributeName, .afterAttributeName, .beforeValue: tagIsOdd = true
    default: break
    }
  }

  mutating func scanEndTag(
    _ byte: UInt8, _ at: Position, _ end: Position, _ sink: inout some TrackSink
  ) -> Position {
    if state == .endName, Self.isNameByte(byte) { return addToName(at, end) }
    switch byte {
    case 0x3E:
      closeEndTag(&sink)
    case 0x3C: return breakTag(at, &sink)
    case 0x20, 0x0A, 0x0D, 0x09: state = .endSpace
    default: if state == .endName { addToName(byte) }
    }
    return at + 1
  }

  /// A `<` inside a tag: the tag was cut off, and nothing of it counts.
  mutating func breakTag(_ at: Position, _ sink: inout some TrackSink) -> Position {
    state = .text
    sink.warn(.malformed, line: tokenLine, "a tag that is cut off by the next one")
    if isPointOpen { spoilPoint() }
    forgetTagBindings()
    updateContext()
    return at
  }

  // MARK: - Names

  private mutating func resetName() {
    nameCount = 0
    nameHash = .empty
    colon = -1
    isNameTooLong = false
  }

  /// Letters, digits and punctuation of names in ASCII: a run of them is added at once.
  @inline(__always)
  private static func isNameByte(_ byte: UInt8) -> Bool {
    let lower = byte | 0x20
    return (lower >= 0x61 && lower <= 0x7A) || (byte >= 0x2D && byte <= 0x3A && byte != 0x2F) || byte == 0x5F
  }

  /// Adds a run of name bytes; returns its end.
  private mutating func addToName(_ start: Position, _ end: Position) -> Position {
    var at = start
    var hash = nameHash
    var count = nameCount
    var colon = colon
    name.withUnsafeMutableBufferPointer { name in
      while at < end, Self.isNameByte(at.pointee) {
        let byte = at.pointee
        hash.add(byte)
        if count < Self.nameLimit {
          if byte == 0x3A, colon < 0 { colon = count }
          name[count] = byte
        }
        count &+= 1
        at += 1
      }
    }
    self.colon = colon
    nameHash = hash
    if count > Self.nameLimit { isNameTooLong = true }
    nameCount = min(count, Self.nameLimit)
    return at
  }

  /// Adds a run of name bytes to the attribute's name; returns its end.
  private mutating func addToAttribute(_ start: Position, _ end: Position) -> Position {
    var at = start
    var count = attributeCount
    attribute.withUnsafeMutableBufferPointer { attribute in
      while at < end, Self.isNameByte(at.pointee) {
        if count < Self.nameLimit { attribute[count] = at.pointee }
        count &+= 1
        at += 1
      }
    }
    if count > Self.nameLimit { isAttributeTooLong = true }
    attributeCount = min(count, Self.nameLimit)
    return at
  }

  private mutating func addToName(_ byte: UInt8) {
    nameHash.add(byte)
    if nameCount < Self.nameLimit {
      if byte == 0x3A, colon < 0 { colon = nameCount }
      name[nameCount] = byte
      nameCount &+= 1
    } else {
      isNameTooLong = true
    }
  }

  private mutating func resetTag() {
    tagLatitude = .missing
    tagLongitude = .missing
    tagIsOdd = false
    tagHasComma = false
    forgetTagBindings()
  }

  /// The declarations of a tag that opens nothing, or has opened its element, end here.
  mutating func forgetTagBindings() {
    tagLosesBindings = false
    tagHidesBindings = false
    if !tagBindings.isEmpty { tagBindings.removeAll(keepingCapacity: true) }
  }

  // MARK: - Attributes

  private mutating func beginAttribute(_ byte: UInt8) {
    state = .attributeName
    attribute[0] = byte
    attributeCount = 1
    isAttributeTooLong = false
  }

  /// The `=` after an attribute's name.
  private mutating func decideAttribute() {
    state = .beforeValue
    valueCount = 0
    isValueTooLong = false
    attributeUse = .ignored
    guard !isAttributeTooLong else { return }
    attributeUse = attribute.withUnsafeBufferPointer { bytes in
      switch (attributeCount, bytes[0], bytes[1], bytes[2]) {
      case (3, 0x6C, 0x61, 0x74): .latitude
      case (3, 0x6C, 0x6F, 0x6E): .longitude
      case (5..., 0x78, 0x6D, 0x6C): Self.isNamespace(bytes.prefix(attributeCount)) ? .namespace : .ignored
      default: .ignored
      }
    }
  }

  /// Whether the attribute declares a namespace: `xmlns` or `xmlns:` and a prefix.
  private static func isNamespace(_ name: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    name.elementsEqual("xmlns".utf8) || name.starts(with: "xmlns:".utf8)
  }

  /// An attribute's value is whole.
  mutating func endValue(_ sink: inout some TrackSink) {
    switch attributeUse {
    case .ignored: break
    case .latitude: tagLatitude = readAxis(after: tagLatitude, limitE7: 900_000_000)
    case .longitude: tagLongitude = readAxis(after: tagLongitude, limitE7: 1_800_000_000)
    case .namespace: takeBinding()
    }
    attributeUse = .ignored
  }

  private mutating func readAxis(after earlier: GPXPoint.Axis, limitE7: Int64) -> GPXPoint.Axis {
    // Given twice, neither is certain.
    guard earlier == .missing else {
      tagIsOdd = true
      return .invalid
    }
    guard !isValueTooLong else { return .invalid }
    let degrees = value.withUnsafeBufferPointer {
      DecimalText.degreesE7(UnsafeBufferPointer(rebasing: $0.prefix(valueCount)), limitE7: limitE7)
    }
    switch degrees {
    case .value(let value): return .value(value)
    case .commaValue(let value):
      tagHasComma = true
      return .value(value)
    case .notANumber, .outOfRange: return .invalid
    }
  }
}
