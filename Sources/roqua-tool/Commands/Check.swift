import ArgumentParser
import GeoStore
import Roqua

struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Look over the store: is it sound?",
    discussion: """
      Looks at the file (SQLite's integrity check), at its tables and indexes, reads every kept \
      fix and every tile, makes regions, visits, names of places and coverage anew in a temporary \
      database and compares. Changes nothing.

      --repair removes triggers, constraints, generated columns and indexes that are not Roqua's, \
      and rebuilds regions, visits and coverage from the kept fixes.

      Exit status: 0 all is as it should be, or was repaired; 1 it is not; 64 wrong usage.
      """)

  @OptionGroup var store: StoreArguments

  @Flag(help: "Look at the file and its tables' form only.")
  var quick = false

  @Flag(help: "Put right what can be put right.")
  var repair = false

  func validate() throws {
    guard !quick || !repair else {
      throw ValidationError("--repair cannot be combined with --quick.")
    }
  }

  func run() throws {
    try Console.reportingErrors {
      let explorer = try store.open(creating: false, isForRepair: true)
      var check = try explorer.check(isQuick: quick)
      if repair, !check.isSound, check.canBeRepaired {
        if !store.json { Self.print(check) }
        Interruption.prepareRewriting("the store is repaired")
        let result = try explorer.repair()
        try Forget.checkErased(result)
        if !store.json { Console.print("repaired; checked again:") }
        check = try explorer.check()
      }
      if store.json { Console.print(check.json) } else { Self.print(check) }
      guard !check.isSound else { return }
      let count = check.steps.reduce(0) { $0 + $1.differenceCount }
      Console.printError(
        "roqua: \(store.path): \(Wording.count(count, "difference")); "
          + (check.canBeRepaired
            ? "roqua check --repair puts \(count == 1 ? "it" : "them") right"
            : check.liesInSources
              ? "restore a backup, or forget the sources that are named (roqua forget) and import "
                + "their files again"
              : "restore a backup, or import the tracks into a new store"))
      throw ExitCode.failure
    }
  }

  private static func print(_ check: StoreCheck) {
    var table = Table([.left, .left])
    for step in check.steps {
      let verdict =
        step.differenceCount == 0 ? "" : ", \(Wording.count(step.differenceCount, "difference"))"
      let looked = step.isSkipped ? "not looked at" : step.subject.description(step.count)
      table.add([step.subject.rawValue, looked + verdict])
      for difference in step.differences { table.add(["", difference]) }
      if step.differenceCount > step.differences.count {
        table.add(["", "and \(Wording.count(step.differenceCount - step.differences.count)) more"])
      }
    }
    table.lines().forEach(Console.print)
    if check.isSound { Console.print("the store is sound") }
  }
}

extension StoreCheck.Subject {
  /// How many things were looked at, in words.
  fileprivate func description(_ count: Int) -> String {
    switch self {
    case .database: Wording.count(count, "page") + " of the file"
    case .references: Wording.count(count, "row") + " that name others"
    case .schema: Wording.count(count, "table, index or view", "tables, indexes and views")
    case .erasure:
      count == 0 ? "nothing that was taken back is left" : "something that was taken back"
    case .sources: Wording.count(count, "source") + " with their kept fixes"
    case .tiles: Wording.count(count, "tile") + " of cells"
    case .regions: Wording.count(count, "region") + " against the sources"
    case .visits: Wording.count(count, "visit") + " against the sources"
    case .places: "names of " + Wording.count(count, "region") + " against the bundled places"
    case .coverage: Wording.count(count, "cell") + " against the sources"
    }
  }
}
