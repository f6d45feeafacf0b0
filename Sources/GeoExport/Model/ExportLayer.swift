/// A set of features of one kind with the same columns.
package struct ExportLayer: Hashable, Sendable {
  /// The kinds of geometries.
  package enum Shape: Hashable, Sendable {
    /// One position.
    case point
    /// A line of two or more positions, each with a measure (M): its time as seconds since
    /// 1970-01-01T00:00:00Z, NaN if it is unknown. A format without measures leaves them out.
    case line
    /// One polygon with its holes.
    case polygon
  }

  /// The name, in `snake_case`: the name of a table or of a file.
  package let name: String
  /// The title for people.
  package let title: String
  /// What a feature is, in one sentence without a full stop.
  package let summary: String
  /// The geometry of its features.
  package let shape: Shape
  /// The columns, in the order of ``ExportFeature/values``. None of them is named `geometry`,
  /// `geom`, `fid`, `bbox`, `longitude` or `latitude`, which formats use themselves.
  package let fields: [ExportField]

  /// Creates a layer.
  package init(
    name: String, title: String, summary: String, shape: Shape, fields: [ExportField]
  ) {
    (self.name, self.title, self.summary) = (name, title, summary)
    (self.shape, self.fields) = (shape, fields)
  }
}

/// One feature of a layer: a geometry, and a value for each column.
///
/// A feature can be filled again and again, so that its arrays are allocated once.
package struct ExportFeature: Hashable, Sendable {
  /// The geometry; of the layer's shape and not empty.
  package var geometry = ExportGeometry()
  /// One value for each column of the layer; each of the column's kind or null.
  package var values: [ExportValue] = []

  /// Creates a feature without geometry and values.
  package init() {}
}
