import GeoStore
import Roqua

/// What was measured, on what, and how long the preparations took.
public struct BenchmarkReport: Sendable {
  /// An index over all regions that was built, or a store that was filled.
  public struct Build: Sendable {
    /// What was built.
    public let name: String
    /// Seconds on the wall clock; those of the processor for a store that was filled, as only the writing of its kept
    /// fixes counts.
    public let seconds: Double
    /// The most memory that the process had held by then, in bytes.
    public let peakMemoryBytes: Int

    init(name: String, seconds: Double) {
      self.name = name
      self.seconds = seconds
      peakMemoryBytes = ProcessUsage.peakMemoryBytes
    }
  }

  /// The machine and the versions.
  public let machine: MachineDescription
  /// What made tracks and places follow from.
  public let seed: UInt64
  /// Regions that were searched; nil where nothing was searched.
  public internal(set) var regions: Int?
  /// Whether they are the user's own.
  public internal(set) var isUsersStore = false
  /// What had to be built before the searches.
  public internal(set) var builds: [Build] = []
  /// The measurements, in the order in which they were made; Roqua's is the first of each question.
  public internal(set) var measurements: [Measurement] = []

  init(seed: UInt64) {
    machine = MachineDescription.current()
    self.seed = seed
  }

  /// The document that `docs/formats/bench.md` describes.
  public var json: JSONValue {
    [
      "machine": machine.json, "seed": .string(String(seed)), "regions": .integer(regions),
      "store": .string(isUsersStore ? "yours" : "made"),
      "builds": .array(
        builds.map { build in
          [
            "name": .string(build.name), "seconds": .number(build.seconds),
            "peakMemoryBytes": .integer(build.peakMemoryBytes),
          ]
        }),
      "measurements": .array(measurements.map(\.json)),
    ]
  }
}
