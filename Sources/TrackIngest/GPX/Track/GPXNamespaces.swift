/// The namespace declarations in scope, as far as they decide what is GPX.
struct GPXNamespaces {
  /// The meaning of a prefix.
  enum Meaning { case gpx, undeclared, foreign }

  /// A namespace declaration.
  private struct Binding {
    /// The prefix that it declares; the empty one for the default namespace.
    var prefix: NameHash
    /// The namespace.
    var uri: NameHash
    /// True if the namespace is a version of GPX.
    var isTopografix: Bool
    /// The depth of the element that declares it.
    var depth: Int
  }

  /// The declarations of a start tag that is not complete.
  private struct TagDeclarations {
    var bindings: [Binding] = []
    /// True if a declaration is not remembered.
    var isIncomplete = false
    /// True if one of these gives a new meaning to a prefix of GPX.
    var hidesGPX = false
  }

  private var bindings: [Binding] = []
  private var tag = TagDeclarations()
  /// The depth of the outermost open element whose declarations are not all remembered.
  private var incompleteDepth: Int?
  /// The namespace of the root, which counts as GPX whatever it is.
  private var home: NameHash?

  /// The declarations remembered.
  var count: Int { bindings.count + tag.bindings.count }

  // MARK: - Declarations

  /// Takes a declaration of the tag that is read.
  ///
  /// - Parameters:
  ///   - attribute: `xmlns`, or `xmlns:` and a prefix.
  ///   - name: the name of the tag.
  mutating func declare(attribute: BoundedText, uri: BoundedText, on name: XMLName) {
    let prefix = attribute.withBytes { NameHash(UnsafeBufferPointer(rebasing: $0.dropFirst(6))) }
    let binding = uri.withBytes { bytes in
      Binding(
        prefix: prefix, uri: NameHash(bytes), isTopografix: Self.isTopografix(bytes), depth: 0)
    }
    if count < GPXLimits.bindings {
      tag.bindings.append(binding)
    } else {
      declareBeyondLimit(binding, on: name)
    }
  }

  /// Takes a declaration when ``GPXLimits/bindings`` others are in scope: only what decides about
  /// GPX is remembered, so the order of declarations does not matter.
  ///
  /// - The default namespace and the prefix of the element itself always are. That is at most two
  ///   per open element.
  /// - Prefixes of GPX, and prefixes of GPX that get another meaning, are remembered up to
  ///   ``GPXLimits/reservedBindings``.
  /// - All others are foreign, and so is every unknown prefix while they are in scope.
  ///
  /// - Complexity: O(declarations remembered).
  @inline(never)
  private mutating func declareBeyondLimit(_ binding: Binding, on name: XMLName) {
    if let index = tag.bindings.lastIndex(where: { $0.prefix == binding.prefix }) {
      tag.bindings[index] = binding
      return
    }
    let hidesGPX = bindings.last { $0.prefix == binding.prefix }.map(isGPX) ?? false
    let isReserved = (isGPX(binding) || hidesGPX) && count < GPXLimits.reservedBindings
    if binding.prefix == .empty || binding.prefix == name.prefix || isReserved {
      tag.bindings.append(binding)
    } else {
      tag.isIncomplete = true
      // The outer meaning is wrong from here on, so nothing in the element counts.
      if hidesGPX { tag.hidesGPX = true }
    }
  }

  /// Forgets the declarations of a tag that opens no element.
  mutating func discardTag() {
    tag.isIncomplete = false
    tag.hidesGPX = false
    if !tag.bindings.isEmpty { tag.bindings.removeAll(keepingCapacity: true) }
  }

  // MARK: - Scopes

  /// Treats the namespace of the root with this prefix as GPX.
  mutating func takeHome(prefix: NameHash) { home = binding(of: prefix)?.uri }

  /// Brings the declarations of the tag into scope: its element is open at `depth`.
  mutating func enter(depth: Int) {
    if tag.isIncomplete { incompleteDepth = min(incompleteDepth ?? .max, depth) }
    for var binding in tag.bindings {
      binding.depth = depth
      bindings.append(binding)
    }
    discardTag()
  }

  /// Ends the scopes of elements deeper than `depth`.
  mutating func leave(to depth: Int) {
    if let incomplete = incompleteDepth, depth < incomplete { incompleteDepth = nil }
    while let last = bindings.last, last.depth > depth { bindings.removeLast() }
  }

  // MARK: - Lookup

  /// The meaning of the prefix of the tag that is read.
  func meaning(ofTagPrefix prefix: NameHash) -> Meaning {
    tag.hidesGPX ? .foreign : meaning(of: prefix)
  }

  /// The meaning of a prefix. GPX is every GPX version, the root's own namespace whatever it is,
  /// and no namespace.
  func meaning(of prefix: NameHash) -> Meaning {
    if let binding = binding(of: prefix) { return isGPX(binding) ? .gpx : .foreign }
    // A default namespace is always remembered, so none was declared here.
    if prefix == .empty { return .gpx }
    return incompleteDepth != nil || tag.isIncomplete ? .foreign : .undeclared
  }

  /// Returns true if the prefix of the tag that is read stands for Roqua's extensions.
  func isRoqua(tagPrefix prefix: NameHash) -> Bool {
    guard incompleteDepth == nil, !tag.isIncomplete else { return false }
    return binding(of: prefix)?.uri == Self.roqua
  }

  /// The namespace of Roqua's extensions (`docs/formats/exports-text.md`).
  private static let roqua = Array("urn:x-roqua:gpx:1".utf8).withUnsafeBufferPointer {
    NameHash($0)
  }

  /// The innermost declaration of a prefix.
  private func binding(of prefix: NameHash) -> Binding? {
    tag.bindings.last { $0.prefix == prefix } ?? bindings.last { $0.prefix == prefix }
  }

  private func isGPX(_ binding: Binding) -> Bool {
    binding.isTopografix || binding.uri == .empty || binding.uri == home
  }

  /// Returns true if the URI is that of a GPX version, present or future:
  /// `http://www.topografix.com/GPX/1/1` and similar. GPX's own extensions (`…/GPX/gpx_style/0/2`)
  /// have a letter instead of the version.
  ///
  /// Sound: the byte after the stem is read only if it exists.
  private static func isTopografix(_ uri: UnsafeBufferPointer<UInt8>) -> Bool {
    for stem in ["http://www.topografix.com/GPX/", "https://www.topografix.com/GPX/"]
    where uri.starts(with: stem.utf8) {
      guard uri.count > stem.utf8.count else { return true }
      return (0x30...0x39).contains(uri[stem.utf8.count])
    }
    return false
  }
}
