import ArgumentParser
import ByteStreams
import Foundation
import GeoStore
import Roqua
import RoquaSQL

struct SQL: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sql",
    abstract: "Answer a question in SQL.",
    discussion: """
      Runs SQL on one unchanging state of the store. It can only read: nothing is written, \
      attached or set. share/doc/roqua/sql.md describes the tables and views. Several \
      statements, separated by ;, run one after the other; - reads them from standard input.

      Besides SQLite's own functions, there are roqua_distance(lat1, lon1, lat2, lon2) in meters, \
      roqua_place(lat, lon [, member]), roqua_country(lat, lon), roqua_cell(lat, lon [, radius]), \
      and the tables roqua_fixes(source), roqua_tracks(source) and roqua_cells(tile). With \
      SpatiaLite installed, its functions are there too, and the views region_geometries, \
      visit_geometries and track_geometries.

      --json prints one object per row; it keeps every character. Elsewhere, control characters \
      are printed as \\u{…}. In a table, columns are aligned in blocks of 1000 rows, and blobs are \
      shortened.

      Examples:
        roqua sql 'SELECT country, regions FROM regions_by_country ORDER BY regions DESC'
        roqua sql 'SELECT count(*) FROM roqua_fixes(:id)' --param id=1
        echo 'SELECT * FROM days;' | roqua sql - --csv
      """)

  @Option(help: ArgumentHelp("Use this store.", valueName: "path"), completion: .file())
  var store: String?

  @Argument(help: ArgumentHelp("SQL statements, or - for standard input.", valueName: "sql"))
  var sql: String

  @Flag(help: "Print JSON, one object per row.")
  var json = false

  @Flag(help: "Print CSV with a header.")
  var csv = false

  @Option(
    help: ArgumentHelp(
      "Give the parameter :name of the statements a value: a number, or a text. Can be repeated.",
      valueName: "name=value"))
  var param: [SQLParameter] = []

  /// The longest text from standard input in bytes: SQLite takes no longer statement.
  private static let longestText = 1 << 20

  func validate() throws {
    guard !json || !csv else { throw ValidationError("--csv cannot be combined with --json.") }
    guard Set(param.map(\.name)).count == param.count else {
      throw ValidationError("A parameter can be given only once.")
    }
  }

  func run() throws {
    let cancellation = Cancellation()
    // SQLite stops between two steps, but not in a call of a function. A query has nothing to lose.
    Interruption.prepareCanceling(
      cancellation, working: "the query was stopped", patienceSeconds: 1)
    try Console.reportingErrors {
      let text = sql == "-" ? try Self.readStandardInput() : NegativeNumbers.original(sql)
      let explorer = try arguments.open(creating: false)
      let output = QueryOutput(json ? .json : csv ? .csv : .table)
      do throws(SQLFailure) {
        try Cancellation.$current.withValue(cancellation) {
          Result { () throws(SQLFailure) in try answer(text, on: explorer.store, to: output) }
        }.get()
      } catch {
        output.end()
        Interruption.endIfCanceled(saying: "the query was stopped")
        if case .database(let error) = error { throw error }
        throw Console.Failure("\(error)" + Self.advice(error))
      }
      output.end()
    }
  }

  /// Runs the statements, and prints their rows as they come.
  private func answer(
    _ text: String, on store: Store, to output: QueryOutput
  ) throws(SQLFailure) {
    let values = Dictionary(uniqueKeysWithValues: param.map { ($0.name, $0.value) })
    try SQLSession.run(on: store, parameters: values) { (session) throws(SQLFailure) in
      try session.run(
        text, begin: { (statement) throws(SQLFailure) in output.begin(statement) },
        row: { (statement) throws(SQLFailure) in output.add(statement) })
    }
  }

  /// What a person can do about a failure, after its sentence.
  private static func advice(_ failure: SQLFailure) -> String {
    guard case .missingParameter(let name) = failure else { return "" }
    return " Give it one with --param \(name.dropFirst())=VALUE."
  }

  private var arguments: StoreArguments {
    get throws {
      try StoreArguments.parse(store.map { ["--store", $0] } ?? [])
    }
  }

  private static func readStandardInput() throws -> String {
    var bytes = Data()
    do {
      while bytes.count <= longestText,
        let more = try FileHandle.standardInput.read(upToCount: 1 << 16), !more.isEmpty
      {
        bytes += more
      }
    } catch {
      throw Console.Failure("Standard input cannot be read.")
    }
    guard bytes.count <= longestText else {
      throw Console.Failure("Standard input is longer than \(longestText) bytes.")
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A parameter of statements, and its value: `name=value`.
struct SQLParameter: ExpressibleByArgument {
  let name: String
  let value: SQLValue

  init?(argument: String) {
    let argument = NegativeNumbers.original(argument)
    guard let sign = argument.firstIndex(of: "="), sign > argument.startIndex else { return nil }
    name = String(argument[..<sign])
    value = SQLValue(typed: String(argument[argument.index(after: sign)...]))
  }
}
