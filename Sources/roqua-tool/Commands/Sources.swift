import ArgumentParser
import GeoStore
import Roqua

struct Sources: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "List the imported sources.",
    discussion: """
      Columns are the number, the SHA-256, the format, the contents, the days and the path. roqua \
      forget takes the number, the path, or at least eight leading digits of the SHA-256 (--json \
      prints all 64).
      """)

  @OptionGroup var store: StoreArguments

  func run() throws {
    try Console.reportingErrors {
      let sources = try store.open(creating: false).sources()
      if store.json {
        Console.print(["sources": .array(sources.map(\.json))])
        return
      }
      var table = Table([.right, .left, .left, .right, .left, .left])
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

  private static func content(_ source: StoredSource) -> String {
    if source.points == 0, source.regions > 0 { return Wording.count(source.regions, "region") }
    if source.points == 0, source.cells > 0 { return Wording.count(source.cells, "cell") }
    return "\(Wording.count(source.kept)) of \(Wording.count(source.points, "point")) kept"
  }
}
