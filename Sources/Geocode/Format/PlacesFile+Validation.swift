extension PlacesFile {
  /// Checks every row, column, reference and name, so that no lookup can read outside of the file.
  ///
  /// Sound: `init` has checked the sizes of the sections, and each number is checked before it is
  /// used as an offset.
  ///
  /// - Throws: ``GeocodeError/damaged(_:section:)`` with the damaged section.
  /// - Complexity: O(size of the file).
  func validate() throws(GeocodeError) {
    func check(_ isRight: Bool, _ section: String) throws(GeocodeError) {
      guard isRight else { throw .damaged(.places, section: section) }
    }
    try check(rowStart(0) == 0 && rowStart(Self.rowCount) == count, "PROW")
    for row in 0..<Self.rowCount {
      let length = rowStart(row + 1) - rowStart(row)
      try check(length >= 0, "PROW")
      try check(columnStart(row, 0) == 0 && columnStart(row, Self.columnCount) == length, "PCOL")
      for column in 0..<Self.columnCount {
        try check(columnStart(row, column) <= columnStart(row, column + 1), "PCOL")
      }
    }
    let bigCells = Self.bigColumns * Self.bigRows
    try check(bigStarts.u16(0) == 0 && Int(bigStarts.u16(2 * bigCells)) == bigCount, "BIGC")
    for cell in 0..<bigCells {
      try check(bigStarts.u16(2 * cell) <= bigStarts.u16(2 * cell + 2), "BIGC")
    }
    for entry in 0..<bigCount {
      let disc = largeDisc(entry)
      try check(disc.place < count, "BIGP")
      try check(
        disc.x == x(disc.place)
          && disc.y == row(of: disc.place) * Self.rowUnits + yInRow(disc.place)
          && disc.population == flaggedPopulation(disc.place)
          && disc.country == country(disc.place), "BIGP")
    }
    for cell in 0..<bigCells {
      let west = cell % Self.bigColumns * Self.bigCellDegrees * Self.unitsPerDegree
      let turn = 360 * Self.unitsPerDegree
      for entry in Int(bigStarts.u16(2 * cell))..<Int(bigStarts.u16(2 * cell + 2)) {
        // From 180° W, as the cells. A search relies on it near ±180°.
        let east = (largeDisc(entry).x + turn / 2 - west + turn + turn / 2) % turn - turn / 2
        try check(abs(east) <= Self.largeDiscReach, "BIGP")
      }
    }
    for place in 0..<count {
      try check(abs(x(place)) <= 180 * Self.unitsPerDegree && yInRow(place) < Self.rowUnits, "PLCE")
      try check(country(place) < CountryIndex.count, "PLCE")
      try check(Int(admin1Row(place)) < admin1Count && Int(admin2Row(place)) < admin2Count, "PLCE")
      try check((admin2Row(place) == 0) == (districtReachSquared(place) == 0), "PLCE")
    }
    try validateNames(check)
  }

  private func validateNames(
    _ check: (Bool, String) throws(GeocodeError) -> Void
  ) throws(GeocodeError) {
    var offset = 0
    for place in 0..<count {
      if place % Self.nameStride == 0 {
        try check(Int(nameOffsets.u32(4 * (place / Self.nameStride))) == offset, "PNMO")
      }
      try check(offset < placeNames.count, "PNAM")
      offset += 1 + Int(placeNames[offset])
    }
    try check(offset == placeNames.count, "PNAM")

    func isName(_ offset: UInt32) -> Bool {
      let start = Int(offset)
      return start < names.count && start + 1 + Int(names[start]) <= names.count
    }
    try check(admin1Count < 0xFFFF, "ADM1")
    for row in 0..<admin1Count {
      try check(
        admin1.u16(16 * row + 8) < CountryIndex.count && isName(admin1.u32(16 * row + 12))
          && admin1Suffix(UInt16(row)).isValid, "ADM1")
    }
    try check((1..<0xFFFF).contains(admin2Count), "ADM2")
    for row in 0..<admin2Count {
      let name = admin2.u32(Self.admin2Size * row)
      try check(isName(name) && (name == 0) == (row == 0), "ADM2")
    }
    for row in 0..<countryCount {
      try check(
        country(inRow: row) < CountryIndex.count
          && isName(countries.u32(Self.countrySize * row + 4)), "CNTR")
      // Sound: bytes 8 to 12 of one of the `countryCount` rows that the section has.
      let letters = UnsafeRawBufferPointer(
        start: countries + Self.countrySize * row + 8, count: 5)
      try check(letters.allSatisfy { (65...90).contains($0) }, "CNTR")
    }
  }
}
