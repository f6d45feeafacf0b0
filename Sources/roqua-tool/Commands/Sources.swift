import ArgumentParser
import GeoStore
import Roqua

struct Sources: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sources",
    abstract: "List the imported sources.",
    discussion: """
      Columns are the number, the SHA-256, the format, the contents, the days and the path. roqua \
      forget takes the number, the path, or at least eight leading digits of the SHA-256 (--json \
      prints all 64).

      With --overlaps, it lists the pairs of sources that cover the same time, the longest overlap \
      first. Columns are its length, its share of the time of the shorter source, the part of it \
      in which both were in the same place, and the two sources. The same ride from two devices, \
      or in two formats, is in the same place; nothing of it is counted twice.
      """)

  @OptionGroup var store: StoreArguments

  @Flag(help: "List the pairs of sources that cover the same time.")
  var overlaps = false

  func run() throws {
    try Console.reportingErrors {
      let explorer = try store.open(creating: false)
      if overlaps { return try printOverlaps(explorer.overlaps()) }
      let sources = try explorer.sources()
      if store.json {
        Console.print(["sources": .array(sources.map(\.json))])
        return
      }
      var table = Table([.right, .left, .left, .right, .left, .path])
      for source in sources {
        table.add([
          "\(source.id)", String(source.sha256.prefix(8)), source.format, Self.content(source),
          Wording.days(source.firstTime, source.lastTime), source.path,
        ])
      }
      table.lines().forEach(Console.print)
      Console.print(Wording.count(sources.count, "source"))
    }
  }

  private func printOverlaps(_ overlaps: SourceOverlaps) {
    if store.json { return Console.print(overlaps.json) }
    var table = Table([.right, .right, .right, .path, .path])
    table.addHeader(["time", "share", "same place", "source", "source"])
    for overlap in overlaps.list {
      table.add([
        Wording.exactDuration(overlap.seconds), Self.percent(overlap.share),
        Self.percent(overlap.sharedPlace), "\(overlap.first.id)  \(overlap.first.path)",
        "\(overlap.second.id)  \(overlap.second.path)",
      ])
    }
    table.lines().forEach(Console.print)
    Console.print(
      Wording.count(overlaps.list.count, "overlap")
        + (overlaps.isComplete ? "" : "; there are more, which are not listed"))
  }

  /// `97 %`: 100 % only if nothing is missing, and 0 % only if there is nothing.
  private static func percent(_ share: Double) -> String {
    let rounded = Int((share * 100).rounded())
    return "\(share <= 0 || share >= 1 ? rounded : min(max(rounded, 1), 99)) %"
  }

  private static func content(_ source: StoredSource) -> String {
    if source.points == 0, source.regions > 0 { return Wording.count(source.regions, "region") }
    if source.points == 0, source.cells > 0 { return Wording.count(source.cells, "cell") }
    return "\(Wording.count(source.kept)) of \(Wording.count(source.points, "point")) kept"
  }
}
