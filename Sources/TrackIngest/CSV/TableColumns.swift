/// The columns of tables (CSV) whose names do not say what they are, or that have no names.
///
/// Meanings that are not stated are found by the names in the first row, as usual. If that row has
/// coordinates in the columns of both, it is no row of names, but the first position.
///
/// ```swift
/// var options = ImportOptions()
/// options.columns = TableColumns(latitude: .number(3), longitude: .number(4), time: .number(1))
/// let report = try await explorer.importTracks(at: tracks, options: options)
/// print(report.kept)
/// ```
public struct TableColumns: Hashable, Sendable {
  /// A column, by name or by number.
  public enum Column: Hashable, Sendable {
    /// The name in the first row, compared without case and without blanks around it.
    case name(String)
    /// The position in a row, counted from 1, at most 512.
    case number(Int)
  }

  /// Decimal degrees, or units of 1e-7 degree if the name ends in `E7`.
  package var latitude: Column?
  /// Decimal degrees, or units of 1e-7 degree if the name ends in `E7`.
  package var longitude: Column?
  /// Date and time of day together, or a number since 1970; `docs/formats/csv.md` has the forms.
  package var time: Column?
  /// Horizontal accuracy in meters.
  package var accuracy: Column?

  /// States some columns.
  public init(
    latitude: Column? = nil, longitude: Column? = nil, time: Column? = nil,
    accuracy: Column? = nil
  ) {
    self.latitude = latitude
    self.longitude = longitude
    self.time = time
    self.accuracy = accuracy
  }

  /// The index of a column in a row of names; nil if the row has no such column.
  func index(of column: Column, in fields: CSVFields) -> Int? {
    switch column {
    case .number(let number): return (1...fields.count).contains(number) ? number - 1 : nil
    case .name(let name):
      let wanted = Self.normalized(name)
      return (0..<fields.count).first {
        Self.normalized(String(decoding: fields[$0], as: UTF8.self)) == wanted
      }
    }
  }

  /// What a first row lacks, as the end of a sentence: `no column named lat`, `only 2 columns`.
  func lack(in row: UnsafeBufferPointer<UInt8>) -> String {
    // The separator that makes the most fields is most likely that of the table.
    var fields = CSVFields()
    for separator in CSVHeader.separators {
      var split = CSVFields()
      split.split(row, at: separator)
      if split.count > fields.count { fields = split }
    }
    for column in [latitude, longitude, time, accuracy].compactMap({ $0 })
    where index(of: column, in: fields) == nil {
      switch column {
      case .name(let name): return "no column named \(name)"
      case .number: return fields.count == 1 ? "only 1 column" : "only \(fields.count) columns"
      }
    }
    return "no columns of latitude and longitude; both must be stated or named"
  }

  /// A name as names are compared.
  static func normalized(_ name: String) -> String {
    name.lowercased().split { $0 == " " || $0 == "\t" || $0 == "\"" }.joined(separator: " ")
  }
}
