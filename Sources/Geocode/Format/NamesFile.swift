import CGazetteer

/// The names of regions and large cities in other languages, and their local names.
///
/// `docs/formats/geodata.md` describes the byte layout. The file is read in place.
///
/// `@unchecked Sendable`: it points into bytes that never change and that ``owner`` keeps alive.
struct NamesFile: @unchecked Sendable {
  /// The size of a row of the table of languages.
  private static let languageSize = 24
  /// The size of a name's entry: its key and the offset of its text.
  private static let entrySize = 8
  /// The tag under which local names are listed: BCP 47's "undetermined".
  static let local = "und"

  let owner: ByteOwner
  private let languages: UnsafeRawPointer
  let languageCount: Int
  /// The row of the local names.
  let localRow: Int?
  private let regions: UnsafeRawBufferPointer
  private let cities: UnsafeRawBufferPointer
  private let names: UnsafeRawBufferPointer

  /// The file linked into the program, opened at the first use: most programs ask for no other
  /// language. Nil if another file is linked in, which the tests rule out.
  static let linkedIn: NamesFile? = try? NamesFile(
    ByteOwner(linkedIn: roqua_gazetteer_names()), trust: .linkedIn)

  /// Opens the file.
  ///
  /// - Throws: ``GeocodeError``.
  init(_ owner: ByteOwner, trust: Trust) throws(GeocodeError) {
    let file = try PackedFile(owner.bytes, kind: .names, trust: trust)
    let table = try file.section("LANG").sized(Self.languageSize)
    guard let start = table.bytes.baseAddress else { throw table.damaged }
    self.owner = owner
    languages = start
    languageCount = table.count
    regions = try file.section("RNAM").sized(Self.entrySize).bytes
    cities = try file.section("CNAM").sized(Self.entrySize).bytes
    names = try file.section("NAME").sized(1).bytes
    localRow = (0..<table.count).first { Self.tag(start, $0) == Self.local }
    if trust != .linkedIn { try validate() }
  }

  /// Checks that the tags are ASCII and sorted, that each language's entries are in the sections
  /// and sorted by key, and that every text lies in the pool and is not empty.
  private func validate() throws(GeocodeError) {
    func check(_ isRight: Bool, _ section: String) throws(GeocodeError) {
      guard isRight else { throw .damaged(.names, section: section) }
    }
    for row in 0..<languageCount {
      let letters = (0..<8).map { languages.load(fromByteOffset: 24 * row + $0, as: UInt8.self) }
      let tag = letters.prefix { $0 != 0 }
      try check(!tag.isEmpty && letters.dropFirst(tag.count).allSatisfy { $0 == 0 }, "LANG")
      try check(tag.allSatisfy { (97...122).contains($0) || $0 == 45 }, "LANG")
      try check(row == 0 || self.tag(row - 1) < self.tag(row), "LANG")
      for (list, section, name) in [(8, regions, "RNAM"), (16, cities, "CNAM")] {
        let first = Int(languages.u32(Self.languageSize * row + list))
        let count = Int(languages.u32(Self.languageSize * row + list + 4))
        try check(first + count <= section.count / Self.entrySize, "LANG")
        for entry in first..<first + count {
          let key = section.u32(Self.entrySize * entry)
          try check(entry == first || section.u32(Self.entrySize * (entry - 1)) < key, name)
          let text = Int(section.u32(Self.entrySize * entry + 4))
          try check(text < names.count && names[text] > 0, name)
          try check(text + 1 + Int(names[text]) <= names.count, name)
        }
      }
    }
  }

  /// The BCP 47 tag of a language.
  func tag(_ row: Int) -> String { Self.tag(languages, row) }

  private static func tag(_ languages: UnsafeRawPointer, _ row: Int) -> String {
    let letters = UnsafeRawBufferPointer(start: languages + languageSize * row, count: 8)
    return String(decoding: letters.prefix { $0 != 0 }, as: UTF8.self)
  }

  /// The row of a tag.
  ///
  /// - Complexity: O(languages).
  func row(ofTag tag: String) -> Int? { (0..<languageCount).first { self.tag($0) == tag } }

  /// The name of a region in a language by the number of its country and its packed suffix.
  ///
  /// - Complexity: O(log regions).
  func region(country: UInt16, suffix: UInt16, language row: Int) -> String? {
    text(UInt32(country) << 16 | UInt32(suffix), regions, 8, language: row)
  }

  /// The name of a city in a language by its GeoNames number.
  ///
  /// - Complexity: O(log cities).
  func city(_ identifier: UInt32, language row: Int) -> String? {
    text(identifier, cities, 16, language: row)
  }

  /// The name of a city by its GeoNames number, sought among some entries of a language.
  @inline(__always)
  func city(_ identifier: UInt32, in range: Range<Int>, language row: Int) -> String? {
    let first = Int(languages.u32(Self.languageSize * row + 16))
    return text(identifier, cities, first + range.lowerBound, range.count)
  }

  /// The GeoNames numbers of all cities of a language, in order.
  func cityKeys(language row: Int) -> [UInt32] {
    var keys: [UInt32] = []
    forEachCity(language: row) { identifier, _ in keys.append(identifier) }
    return keys
  }

  /// Calls `body` with each region of a language: its country, its packed suffix and its name.
  func forEachRegion(language row: Int, _ body: (UInt16, UInt16, NameBytes) -> Void) {
    forEach(regions, 8, row) { body(UInt16($0 >> 16), UInt16($0 & 0xFFFF), $1) }
  }

  /// Calls `body` with each city of a language: its GeoNames number and its name.
  func forEachCity(language row: Int, _ body: (UInt32, NameBytes) -> Void) {
    forEach(cities, 16, row, body)
  }

  typealias NameBytes = Slice<UnsafeRawBufferPointer>

  private func forEach(
    _ section: UnsafeRawBufferPointer, _ list: Int, _ row: Int, _ body: (UInt32, NameBytes) -> Void
  ) {
    let first = Int(languages.u32(Self.languageSize * row + list))
    let count = Int(languages.u32(Self.languageSize * row + list + 4))
    for entry in first..<first + count {
      body(
        section.u32(Self.entrySize * entry),
        bytes(at: Int(section.u32(Self.entrySize * entry + 4))))
    }
  }

  private func text(
    _ key: UInt32, _ section: UnsafeRawBufferPointer, _ list: Int, language row: Int
  ) -> String? {
    text(
      key, section, Int(languages.u32(Self.languageSize * row + list)),
      Int(languages.u32(Self.languageSize * row + list + 4)))
  }

  /// Sound: rows come from ``row(ofTag:)``; `init` has checked entries and texts in files from
  /// outside, and tests check those in the linked file.
  private func text(
    _ key: UInt32, _ section: UnsafeRawBufferPointer, _ first: Int, _ count: Int
  ) -> String? {
    var (low, count) = (first, count)
    // Without a branch on what is compared, which nobody could predict.
    while count > 1 {
      let half = count / 2
      low += section.u32(Self.entrySize * (low + half)) <= key ? half : 0
      count -= half
    }
    guard count == 1, section.u32(Self.entrySize * low) == key else { return nil }
    return String(
      decoding: bytes(at: Int(section.u32(Self.entrySize * low + 4))), as: UTF8.self)
  }

  private func bytes(at offset: Int) -> NameBytes {
    names[offset + 1..<offset + 1 + Int(names[offset])]
  }
}
