extension GPXDecoder {
  /// A namespace declaration in scope.
  struct Binding {
    /// The prefix that it declares; the empty one for the default namespace.
    var prefix: NameHash
    /// The namespace.
    var uri: NameHash
    /// Whether that is a version of GPX.
    var isTopografix: Bool
    /// The depth of the element that declares it.
    var depth: Int
  }

  /// What a prefix says about an element.
  enum Namespace { case gpx, undeclared, foreign }

  // MARK: - Declarations

  /// The value of a declaration is complete.
  mutating func takeBinding() {
    let prefix = attribute.withUnsafeBufferPointer {
      NameHash(UnsafeBufferPointer(rebasing: $0.prefix(attributeCount).dropFirst(6)))
    }
    let binding = value.withUnsafeBufferPointer { bytes in
      let uri = UnsafeBufferPointer(rebasing: bytes.prefix(valueCount))
      return Binding(
        prefix: prefix, uri: NameHash(uri), isTopografix: GPXNamespace.isTopografix(uri), depth: 0)
    }
    if bindings.count + tagBindings.count < Self.bindingLimit {
      tagBindings.append(binding)
    } else {
      takeBindingBeyondLimit(binding)
    }
  }

  /// Takes a declaration when ``bindingLimit`` others are in scope: only what decides about GPX is
  /// remembered, so the order of declarations does not matter.
  ///
  /// - The default namespace and the prefix of the element itself always are. That is two for each
  ///   open element at most.
  /// - Prefixes of GPX, and prefixes of GPX that get another meaning, are remembered up to
  ///   ``reservedBindingLimit``.
  /// - All others are foreign, and so is every prefix that is not found while they are in scope.
  ///
  /// - Complexity: O(declarations remembered).
  @inline(never)
  private mutating func takeBindingBeyondLimit(_ binding: Binding) {
    if let index = tagBindings.lastIndex(where: { $0.prefix == binding.prefix }) {
      tagBindings[index] = binding
      return
    }
    let hidesGPX = bindings.last { $0.prefix == binding.prefix }.map(isGPX) ?? false
    let isReserved =
      (isGPX(binding) || hidesGPX)
      && bindings.count + tagBindings.count < Self.reservedBindingLimit
    if binding.prefix == .empty || binding.prefix == prefix() || isReserved {
      tagBindings.append(binding)
    } else {
      tagLosesBindings = true
      // The outer meaning is wrong from here on, so nothing in the element counts.
      if hidesGPX { tagHidesBindings = true }
    }
  }

  // MARK: - Lookup

  /// The prefix of the name being read.
  func prefix() -> NameHash {
    guard colon > 0 else { return .empty }
    return name.withUnsafeBufferPointer { NameHash(UnsafeBufferPointer(rebasing: $0[..<colon])) }
  }

  /// The innermost declaration of a prefix.
  func binding(of prefix: NameHash) -> Binding? {
    tagBindings.last { $0.prefix == prefix } ?? bindings.last { $0.prefix == prefix }
  }

  /// GPX is every GPX version, the root's own namespace whatever it is, and none at all.
  func namespace(of prefix: NameHash) -> Namespace {
    if let binding = binding(of: prefix) { return isGPX(binding) ? .gpx : .foreign }
    // A default namespace is always remembered: there is none.
    if prefix == .empty { return .gpx }
    return lostBindingsDepth != nil || tagLosesBindings ? .foreign : .undeclared
  }

  /// Whether a declaration is of GPX.
  private func isGPX(_ binding: Binding) -> Bool {
    binding.isTopografix || binding.uri == .empty || binding.uri == homeNamespace
  }
}
