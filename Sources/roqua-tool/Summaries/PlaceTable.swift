import ArgumentParser
import ByteStreams
import Foundation
import Geocode
import Geodesy
import Roqua
import TrackIngest

/// Prints a table with the place of each row.
///
/// Rows stay as they are, except that their line ends become LF and that their text becomes UTF-8.
/// A row with fewer fields than the first one gets empty ones, so that the new columns line up. On
/// a terminal, control characters are shown as `\u{…}`.
///
/// A table that is compressed with gzip is expanded.
struct PlaceTable {
  private let path: String
  private let columns: TableColumns?
  private let geocoder: Geocoder
  private let locale: Locale?

  /// - Parameters:
  ///   - path: the file; `-` is standard input.
  ///   - columns: the columns that are stated.
  init(
    path: String, _ columns: TableColumns, _ geocoder: Geocoder, _ locale: Locale?
  ) {
    self.path = path
    self.columns = columns == TableColumns() ? nil : columns
    (self.geocoder, self.locale) = (geocoder, locale)
  }

  /// Reads the table and prints it, in memory that does not grow with it.
  ///
  /// - Throws: `ExitCode` 2 if some rows are unusable or the end is missing, 1 if all rows are
  ///   unusable; `Console.Failure` if the file cannot be read or is no table of positions.
  func print() throws {
    try ExistingFile.check(path)
    let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(errno) }
    defer { if descriptor != STDIN_FILENO { close(descriptor) } }
    var table = TablePositions(columns: columns)
    var decompressor = Decompressor()
    let printer = PlaceTablePrinter(name, geocoder, locale)
    func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
      table.read(bytes) { printer.take($0) }
      return table.refusal == nil
    }
    var block = [UInt8](repeating: 0, count: 1 << 16)
    var (head, needsMore) = ([UInt8](), true)
    while needsMore {
      let count = block.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure(errno) }
      guard count > 0 else { break }
      if head.count < Self.headBytes { head += block[..<count] }
      // Sound: `read` wrote `count` bytes, which outlive the call.
      needsMore = block.withUnsafeBytes { bytes in
        decompressor.read(UnsafeRawBufferPointer(rebasing: bytes[..<count]), to: take)
      }
      // A pipe that gives little has a reader that waits.
      if count < block.count { printer.write() }
    }
    let ending = decompressor.finish(to: take)
    if ending.error == nil { table.finish { printer.take($0) } }
    printer.write()
    if let error = ending.error { throw Console.Failure("\(name): \(error.message)") }
    if let refusal = table.refusal {
      let kind = ContentKind.binaryName(startingWith: head)
      let reason = kind.map { "It is \($0); --csv reads a table, also one in gzip." } ?? refusal
      throw Console.Failure("\(name): \(reason)")
    }
    for warning in ending.warnings { Console.printError("roqua: \(name): \(warning.message)") }
    let isCut = ending.warnings.contains { $0.code == .truncated }
    if printer.failures > 0 || isCut { throw ExitCode(printer.answers > 0 ? 2 : 1) }
  }

  /// First bytes that show what a file is.
  private static let headBytes = 512

  private var name: String { path == "-" ? "standard input" : path }

  private func failure(_ code: Int32) -> Console.Failure {
    Console.Failure("\(name): the file cannot be read (\(String(cString: strerror(code))))")
  }
}

/// Prints the rows of a table with the fields of their places.
private final class PlaceTablePrinter {
  /// The rows that have a place, or are empty where a place would be.
  private(set) var answers = 0
  /// The rows that are unusable.
  private(set) var failures = 0
  private let name: String
  private let geocoder: Geocoder
  private let locale: Locale?
  private var lines: PlaceAnswers?

  init(_ name: String, _ geocoder: Geocoder, _ locale: Locale?) {
    (self.name, self.geocoder, self.locale) = (name, geocoder, locale)
  }

  /// Prints all rows so far.
  func write() { lines?.write() }

  /// Takes the next row.
  func take(_ row: TablePositions.Row) {
    let lines =
      lines
      ?? PlaceAnswers(
        geocoder: geocoder,
        form: .csv(separator: row.separator, isForTerminal: Console.isTerminal), locale: locale)
    self.lines = lines
    switch row.content {
    case .names: addNames(row, to: lines)
    case .position(let coordinate):
      answers += 1
      add(.place(coordinate), row, to: lines)
    case .noPosition:
      answers += 1
      // An empty line stays one.
      add(row.text.isEmpty ? .copy : .nothing, row, to: lines)
    case .unusable(let reason):
      failures += 1
      add(.nothing, row, to: lines)
      report(reason, row)
    case .incomplete(let reason):
      failures += 1
      // As it is, unless it was cut. The last line end of the table is in an open quotation.
      if row.text.count < TablePositions.longestRow {
        let isEnded = row.text.last == UInt8(ascii: "\n")
        lines.add(
          .copy, text: UnsafeBufferPointer(rebasing: row.text.dropLast(isEnded ? 1 : 0)))
      }
      report(reason, row)
    }
  }

  private func report(_ reason: String, _ row: TablePositions.Row) {
    Console.printError("roqua: \(name), line \(row.line): \(reason)")
  }

  private func add(
    _ content: PlaceAnswers.Content, _ row: TablePositions.Row, to lines: PlaceAnswers
  ) {
    guard row.fieldCount < row.columnCount, !row.text.isEmpty else {
      return lines.add(content, text: row.text)
    }
    var text = Array(row.text)
    for _ in row.fieldCount..<row.columnCount { text.append(row.separator) }
    text.withUnsafeBufferPointer { lines.add(content, text: $0) }
  }

  /// The first row, with the names of the new columns; one that the table has already gets a
  /// number.
  private func addNames(_ row: TablePositions.Row, to lines: PlaceAnswers) {
    var taken = Set(row.names.map { $0.lowercased() })
    var names = Array(row.text)
    for column in PlaceLines.columns {
      var (name, number) = (column, 1)
      while !taken.insert(name).inserted {
        number += 1
        name = "\(column)_\(number)"
      }
      names.append(row.separator)
      names += name.utf8
    }
    names.withUnsafeBufferPointer { lines.add(.copy, text: $0) }
  }
}
