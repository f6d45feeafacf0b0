/// A column of a layer: the name and kind of one value of each feature.
package struct ExportField: Hashable, Sendable {
  /// The kinds of values.
  package enum Kind: Hashable, Sendable {
    /// Text in UTF-8.
    case text
    /// A whole number of 64 bits.
    case integer
    /// A number.
    case real
    /// True or false.
    case boolean
    /// A moment in UTC, in milliseconds.
    case time
  }

  /// The name, in `snake_case`, as the views of the store name it.
  package let name: String
  /// The kind of its values.
  package let kind: Kind
  /// What it is, in one sentence without a full stop, for formats that describe their columns.
  package let summary: String

  /// Creates a column.
  package init(_ name: String, _ kind: Kind, _ summary: String) {
    (self.name, self.kind, self.summary) = (name, kind, summary)
  }
}

/// The value of one column of a feature.
package enum ExportValue: Hashable, Sendable {
  /// No value.
  case null
  /// A text.
  case text(String)
  /// A whole number.
  case integer(Int64)
  /// A finite number.
  case real(Double)
  /// True or false.
  case boolean(Bool)
  /// A moment as milliseconds since 1970-01-01T00:00:00Z, in the years 0 to 9999.
  case time(Int64)
}
