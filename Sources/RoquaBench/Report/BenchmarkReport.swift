import GeoStore
import Roqua

/// Measurements, the machine they were made on, and the cost of preparing them.
package struct BenchmarkReport: Sendable {
  /// An index over all regions, or a store that was filled.
  package struct Build: Sendable {
    /// The index or the store, in words.
    package let name: String
    /// Wall-clock seconds; processor seconds of writing a store's kept fixes, and of reading its
    /// cached tiles.
    package let seconds: Double
    /// Peak memory of the process by then, in bytes.
    package let peakMemoryBytes: Int
    /// Bytes that it takes in memory; nil if it is not measured.
    package let memoryBytes: Int?

    init(name: String, seconds: Double, memoryBytes: Int? = nil) {
      self.name = name
      self.seconds = seconds
      self.memoryBytes = memoryBytes
      peakMemoryBytes = ProcessUsage.peakMemoryBytes
    }
  }

  /// The machine and the versions.
  package let machine: MachineDescription
  /// The seed of all generated data.
  package let seed: UInt64
  /// Number of regions searched; nil if nothing was searched.
  package internal(set) var regions: Int?
  /// True if the store is a copy of the user's.
  package internal(set) var isUsersStore = false
  /// The indexes and stores built before the searches.
  package internal(set) var builds: [Build] = []
  /// The measurements in the order they were made; Roqua's is the first of each question.
  package internal(set) var measurements: [Measurement] = []

  init(seed: UInt64) {
    machine = MachineDescription.current()
    self.seed = seed
  }

  /// The document that `docs/formats/bench.md` describes.
  package var json: JSONValue {
    [
      "machine": machine.json, "seed": .string(String(seed)), "regions": .integer(regions),
      "store": .string(isUsersStore ? "yours" : "made"),
      "builds": .array(
        builds.map { build in
          [
            "name": .string(build.name), "seconds": .number(build.seconds),
            "peakMemoryBytes": .integer(build.peakMemoryBytes),
            "memoryBytes": .integer(build.memoryBytes),
          ]
        }),
      "measurements": .array(measurements.map(\.json)),
    ]
  }
}
