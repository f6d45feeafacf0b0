import ArgumentParser
import GeoStore
import Roqua

struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Verify the store's integrity.",
    discussion: """
      Checks the file (SQLite's integrity check), its tables and indexes, every kept fix and every \
      tile. Then it rebuilds regions, visits, place names and coverage in a temporary database and \
      compares them with the store. The store is not changed.

      --repair removes triggers, constraints, generated columns and indexes that do not belong to \
      Roqua, and rebuilds regions, visits and coverage from the kept fixes.

      Exit status: 0 no differences, or all repaired; 1 differences found; 2 repaired, but \
      another program keeps old data in the file; 64 wrong usage.
      """)

  @OptionGroup var store: StoreArguments

  @Flag(help: "Check only the file and the structure of its tables.")
  var quick = false

  @Flag(help: "Repair what can be repaired.")
  var repair = false

  func validate() throws {
    guard !quick || !repair else {
      throw ValidationError("--repair cannot be combined with --quick.")
    }
  }

  func run() throws {
    try Console.reportingErrors {
      let explorer = try store.open(creating: false, isForRepair: true)
      var check = try WorkProgress.showing { _ in try explorer.check(isQuick: quick) }
      var repaired: MaintenanceReport?
      if repair, !check.isSound, check.canBeRepaired {
        if !store.json { Self.print(check) }
        Interruption.prepareRewriting("the store was repaired")
        repaired = try WorkProgress.showing { _ in try explorer.repair() }
        if !store.json { Console.print("repaired; second check:") }
        check = try WorkProgress.showing { _ in try explorer.check() }
      }
      if store.json { Console.print(check.json) } else { Self.print(check) }
      ReplacedStoreAdvice.printNotice(storePath: explorer.store.path)
      let differing = check.steps.filter { $0.differenceCount > 0 }
      if let repaired, differing.allSatisfy({ $0.subject == .erasure }) {
        try Forget.checkErased(repaired)
      }
      guard !check.isSound else { return }
      let count = check.steps.reduce(0) { $0 + $1.differenceCount }
      Console.printError(
        "roqua: \(try store.path): \(Wording.count(count, "difference")); "
          + (check.canBeRepaired
            ? "roqua check --repair repairs \(count == 1 ? "it" : "them")"
            : check.liesInSources
              ? "restore a backup, or forget the damaged sources (roqua forget) and import their "
                + "files again"
              : "restore a backup, or import the tracks into a new store"))
      throw ExitCode.failure
    }
  }

  private static func print(_ check: StoreCheck) {
    var table = Table([.left, .left])
    for step in check.steps {
      let verdict =
        step.differenceCount == 0 ? "" : ", \(Wording.count(step.differenceCount, "difference"))"
      let looked = step.isSkipped ? "not checked" : step.subject.description(step.count)
      table.add([step.subject.rawValue, looked + verdict])
      for difference in step.differences { table.add(["", difference]) }
      if step.differenceCount > step.differences.count {
        table.add(["", "and \(Wording.count(step.differenceCount - step.differences.count)) more"])
      }
    }
    table.lines().forEach(Console.print)
    if check.isSound { Console.print("The store is sound.") }
  }
}

extension StoreCheck.Subject {
  /// What was checked, in words.
  fileprivate func description(_ count: Int) -> String {
    switch self {
    case .database: Wording.count(count, "page") + " of the file"
    case .references: Wording.count(count, "row") + " that refer to others"
    case .schema: Wording.count(count, "table, index or view", "tables, indexes and views")
    case .erasure:
      count == 0 ? "all deleted data is erased" : "some deleted data is not erased"
    case .zones: Wording.count(count, "privacy zone")
    case .sources: Wording.count(count, "source") + " with their kept fixes"
    case .achievements: Wording.count(count, "tier") + " of achievements"
    case .tiles: Wording.count(count, "tile") + " of cells"
    case .regions: Wording.count(count, "region") + " against the sources"
    case .visits: Wording.count(count, "visit") + " against the sources"
    case .places: "names of " + Wording.count(count, "region") + " against the bundled places"
    case .coverage: Wording.count(count, "cell") + " against the sources"
    }
  }
}
