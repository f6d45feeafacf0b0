import ByteStreams
import GeoExport
import GeoStore
import GridHash
import SQLiteLayer

/// The Parquet files of a dataset: one for each kind of rows and each square of 256 × 256 tiles.
///
/// Rows come in the order of their tiles, so the squares that are open at the same time lie in one
/// row of squares.
final class DatasetFiles {
  /// What rows are.
  enum Kind: String {
    case tiles, regions

    /// The columns after `person` and `tile`.
    fileprivate var fields: [ExportField] {
      switch self {
      case .tiles:
        [
          ExportField("cells", .integer, "Number of explored cells"),
          ExportField("square_meters", .real, "Their area"),
        ]
      case .regions:
        [
          ExportField("region", .integer, "Number of the region"),
          ExportField("latitude", .real, "Center in degrees"),
          ExportField("longitude", .real, "Center in degrees"),
          ExportField("radius_m", .integer, "Radius in meters"),
          ExportField("accuracy_m", .real, "Accuracy in meters"),
          ExportField("first_time", .time, "First time of a fix in the region"),
          ExportField("last_time", .time, "Last time of a fix in the region"),
          ExportField("visit_count", .integer, "Number of visits"),
          // In the order of `PlaceNames.inColumns`.
          ExportField("quarter", .text, "Nearest part of the city"),
          ExportField("city", .text, "City"),
          ExportField("district", .text, "District"),
          ExportField("region_name", .text, "Region"),
          ExportField("region_code", .text, "ISO 3166-2 code"),
          ExportField("country", .text, "Country"),
          ExportField("country_code", .text, "ISO 3166-1 alpha-2 code"),
        ]
      }
    }
  }

  /// A square of 256 × 256 tiles.
  private struct Square: Hashable {
    let row: Int
    let column: Int
  }

  /// A file that is being made.
  private final class Open {
    let table: ParquetTable
    let name: String
    private(set) var bytes: [UInt8] = []

    init(_ kind: Kind, name: String) throws(ExportFailure) {
      self.name = name
      final class Sink { weak var owner: Open? }
      let sink = Sink()
      table = try ParquetTable(
        ExportStream { bytes in
          sink.owner?.bytes += bytes
          return true
        }, name: kind.rawValue, DatasetFiles.keyFields + kind.fields,
        bytes: kind == .tiles ? "bits" : nil)
      sink.owner = self
    }
  }

  private static let tilesAcrossSquare = 256
  private static let keyFields = [
    ExportField("person", .integer, "Key of the person"),
    ExportField("tile", .integer, "Key of the tile"),
  ]

  /// Why the writer stopped.
  private(set) var failure: ExportFailure?
  /// The size of the files so far.
  private(set) var bytes = 0
  private let folder: PartialFolder
  private let grid: Grid
  private let name: String
  private let person: Int64
  private let target: String
  private var row = -1
  private var rowCount = 0
  private var open: [Square: Open] = [:]

  init(_ folder: PartialFolder, grid: Grid, person name: String, _ target: String) {
    (self.folder, self.grid, self.name, self.target) = (folder, grid, name, target)
    var hash = SHA256()
    hash.update(Array(name.utf8))
    // The same as roqua.person_key in PostgreSQL.
    let key = hash.finalize().prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    person = Int64(bitPattern: key)
  }

  /// Writes the file that says who the person is.
  func writePerson() throws(DatabaseError) {
    var bytes: [UInt8] = []
    try writing { () throws(ExportFailure) in
      let stream = ExportStream {
        bytes += $0
        return true
      }
      let table = try ParquetTable(
        stream, name: "people",
        [
          ExportField("person", .integer, "Key of the person"),
          ExportField("name", .text, "Name"),
          ExportField("grid_mm", .integer, "Exploration radius in millimeters"),
        ])
      try table.add(
        [.integer(person), .text(name), .integer(Int64(grid.explorationRadiusMillimeters))])
      try table.finish()
    }
    try write(bytes, to: "person.parquet")
  }

  /// Adds a row.
  ///
  /// - Precondition: tiles ascend from call to call until ``finish()``.
  func add(
    _ kind: Kind, tile: Int64, _ values: [ExportValue], _ bytes: [UInt8] = []
  ) throws(DatabaseError) {
    let (row, column) = Int(tile).quotientAndRemainder(dividingBy: grid.tileColumnCount)
    let square = Square(
      row: row / Self.tilesAcrossSquare, column: column / Self.tilesAcrossSquare)
    if square.row != self.row {
      try finish()
      self.row = square.row
    }
    try writing { () throws(ExportFailure) in
      let file: Open
      if let found = open[square] {
        file = found
      } else {
        file = try Open(kind, name: path(of: kind, square))
        open[square] = file
      }
      try file.table.add([.integer(person), .integer(tile)] + values, bytes)
      rowCount += 1
      if rowCount % 4096 == 0, Cancellation.current?.isCancelled == true { throw .canceled }
    }
  }

  private func path(of kind: Kind, _ square: Square) -> String {
    "\(kind.rawValue)/grid_mm=\(grid.explorationRadiusMillimeters)/"
      + "tile_prefix=r\(square.row)c\(square.column)/\(kind.rawValue).parquet"
  }

  /// Writes the files that are open.
  func finish() throws(DatabaseError) {
    for file in open.values.sorted(by: { $0.name < $1.name }) {
      try writing { () throws(ExportFailure) in try file.table.finish() }
      try write(file.bytes, to: file.name)
    }
    open = [:]
    row = -1
  }

  private func write(_ content: [UInt8], to name: String) throws(DatabaseError) {
    try writing { () throws(ExportFailure) in
      do throws(FileFailure) { try folder.write(content, to: name) } catch {
        throw .failed(reason: error.reason)
      }
      if Cancellation.current?.isCancelled == true { throw .canceled }
    }
    bytes += content.count
  }

  /// Keeps a failure for the owner of the files, and throws the error that stops reading.
  private func writing(_ body: () throws(ExportFailure) -> Void) throws(DatabaseError) {
    do throws(ExportFailure) {
      try body()
    } catch {
      failure = error
      throw .interrupted(path: target)
    }
  }
}
