import GeoExport

extension ExportOptions.Layer {
  /// The layer with its columns, which are named as in the views of the store.
  var exportLayer: ExportLayer {
    ExportLayer(
      name: rawValue, title: title, summary: summary, shape: shape, fields: fields)
  }

  private var title: String {
    switch self {
    case .regions: "Visited regions"
    case .visits: "Visits"
    case .tracks: "Tracks"
    case .fixes: "Kept fixes"
    case .coverage: "Explored area"
    case .places: "Visited places"
    }
  }

  private var summary: String {
    switch self {
    case .regions: "The center of a disc around a kept fix that no earlier region was near"
    case .visits: "One stay in a visited region"
    case .tracks: "The kept fixes of a segment in order; measures are seconds since 1970"
    case .fixes: "A position that passed every filter"
    case .coverage: "A connected set of explored cells of the grid"
    case .places: "A visited country, region or city, at its most visited region"
    }
  }

  private var shape: ExportLayer.Shape {
    switch self {
    case .regions, .visits, .fixes, .places: .point
    case .tracks: .line
    case .coverage: .polygon
    }
  }

  private var fields: [ExportField] {
    switch self {
    case .regions:
      [
        ExportField("id", .integer, "Number of the region"),
        ExportField("radius", .integer, "Radius of the disc in meters"),
        ExportField("timestamp_start", .time, "First time of a fix in the region"),
        ExportField("timestamp_end", .time, "Last time of a fix in the region"),
        ExportField("visit_count", .integer, "Number of visits, at least 1"),
      ] + Self.placeFields + [
        ExportField("geohash", .text, "Geohash of the center, 9 characters"),
        ExportField("accuracy", .real, "Horizontal accuracy of the first fix in meters"),
      ]
    case .visits:
      [
        ExportField("region_id", .integer, "Number of the region"),
        ExportField("start_time", .time, "Time of the first fix"),
        ExportField("end_time", .time, "Time of the last fix"),
        ExportField("minutes", .real, "Time between them in minutes"),
      ] + Self.placeFields
    case .tracks:
      Self.segmentFields + [
        ExportField("start_time", .time, "First time on the line"),
        ExportField("end_time", .time, "Last time on the line"),
        ExportField("fixes", .integer, "Number of kept fixes on the line"),
        ExportField("distance_meters", .real, "Length on the ellipsoid in meters"),
      ]
    case .fixes:
      Self.segmentFields + [
        ExportField("time", .time, "Time of the fix"),
        ExportField("accuracy", .real, "Horizontal accuracy in meters"),
        ExportField("flight", .boolean, "Whether the fix was made on a flight"),
      ]
    case .coverage:
      [
        ExportField("id", .integer, "Number of the area in this file, from 1"),
        ExportField("cells", .integer, "Number of cells"),
        ExportField(
          "area_square_kilometers", .real, "Area on the sphere of the Earth's surface"),
      ]
    case .places:
      [
        ExportField("kind", .text, "Country, region or city"),
        ExportField("name", .text, "Name in English"),
        ExportField("region", .text, "Name of the region"),
        ExportField("country", .text, "Name of the country"),
        ExportField("country_code", .text, "ISO 3166-1 alpha-2 code"),
        ExportField("regions", .integer, "Number of visited regions"),
        ExportField("visits", .integer, "Number of visits"),
        ExportField("first_time", .time, "First time of a fix"),
        ExportField("last_time", .time, "Last time of a fix"),
      ]
    }
  }

  private static let segmentFields = [
    ExportField("source_id", .integer, "Number of the source"),
    ExportField("source", .text, "Name of the source's file"),
    ExportField("segment", .integer, "Number of the segment in its source, from 1"),
  ]

  private static let placeFields = [
    ExportField("city", .text, "City, town or village"),
    ExportField("quarter", .text, "Nearest part of the city"),
    ExportField("district", .text, "Second-level administrative division"),
    ExportField("region", .text, "First-level administrative division"),
    ExportField("region_code", .text, "ISO 3166-2 code of the region"),
    ExportField("country", .text, "Country"),
    ExportField("country_code", .text, "ISO 3166-1 alpha-2 code"),
  ]
}
