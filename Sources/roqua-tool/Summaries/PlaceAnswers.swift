import Dispatch
import Geocode
import Geodesy
import Foundation

/// Answers of `roqua where` for many positions, in the order of the questions.
///
/// Rows are collected and then answered on all cores, a part of the rows each.
final class PlaceAnswers {
  /// A question.
  private struct Row {
    /// The place of the row's own text in `texts`.
    let text: Range<Int>
    /// What the answer is about.
    let content: Content
  }

  /// What the answer to a row is about.
  enum Content {
    /// The place of a position.
    case place(Coordinate)
    /// Nothing: the row has no position.
    case nothing
    /// The row itself, without an answer.
    case copy
  }

  /// The rows that are collected before they are answered.
  static let mostRows = 2_048
  /// The bytes of rows that are collected before they are answered.
  private static let mostBytes = 1 << 18
  /// The fewest rows that are worth another core.
  private static let rowsOfCore = 256

  private var texts: [UInt8] = []
  private var rows: [Row] = []
  private let workers: [Worker]
  /// Whether there are more rows than are answered at once.
  private var isLong = false

  /// Writes the lines of one part of the rows.
  ///
  /// `@unchecked Sendable`: a worker is used by one thread at a time, and by the owner when all
  /// threads are done.
  private final class Worker: @unchecked Sendable {
    var lines: PlaceLines
    init(_ lines: PlaceLines) { self.lines = lines }
  }

  init(geocoder: Geocoder, form: PlaceLines.Form, locale: Locale?) {
    let cores = max(1, min(8, ProcessInfo.processInfo.activeProcessorCount))
    workers = (0..<cores).map { _ in
      Worker(PlaceLines(geocoder: geocoder, form: form, locale: locale))
    }
  }

  /// Adds a row.
  ///
  /// - Parameter text: what the answer begins with; empty for none.
  func add(_ content: Content, text: UnsafeBufferPointer<UInt8>? = nil) {
    let start = texts.count
    if let text { texts.append(contentsOf: text) }
    rows.append(Row(text: start..<texts.count, content: content))
    guard rows.count >= Self.mostRows || texts.count >= Self.mostBytes else { return }
    if !isLong {
      isLong = true
      #if os(Linux)
        ProgramCode.release()
      #endif
    }
    write()
  }

  /// Answers all rows that were added, and writes the answers to standard output.
  func write() {
    guard !rows.isEmpty else { return }
    let count = min(workers.count, max(1, rows.count / Self.rowsOfCore))
    var (rows, texts): ([Row], [UInt8]) = ([], [])
    swap(&rows, &self.rows)
    swap(&texts, &self.texts)
    answer(rows, texts, parts: count)
    for worker in workers[..<count] {
      Console.printLines(worker.lines.bytes)
      worker.lines.removeAll()
    }
    // Their memory is used again.
    rows.removeAll(keepingCapacity: true)
    texts.removeAll(keepingCapacity: true)
    swap(&rows, &self.rows)
    swap(&texts, &self.texts)
  }

  private func answer(_ rows: [Row], _ texts: [UInt8], parts count: Int) {
    let workers = workers
    if count == 1 {
      Self.answer(rows[...], texts, &workers[0].lines)
    } else {
      DispatchQueue.concurrentPerform(iterations: count) { part in
        let range = rows.count * part / count..<rows.count * (part + 1) / count
        Self.answer(rows[range], texts, &workers[part].lines)
      }
    }
  }

  private static func answer(_ rows: ArraySlice<Row>, _ texts: [UInt8], _ lines: inout PlaceLines) {
    for row in rows {
      switch row.content {
      case .place(let coordinate): lines.append(coordinate, after: texts[row.text])
      case .nothing: lines.appendNothing(after: texts[row.text])
      case .copy: lines.append(texts[row.text])
      }
    }
  }
}
