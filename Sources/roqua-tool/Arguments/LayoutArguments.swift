import ArgumentParser
import PostgresPush

/// Where the tables lie that `roqua push --schema` makes.
struct LayoutArguments: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Divide the tables permanently into this many partitions by person, at most 64.",
      valueName: "count"))
  var partitions: Int?

  @Option(
    help: ArgumentHelp(
      "Make the tables of a coordinator for these servers, whose names are separated by commas.",
      valueName: "names"))
  var servers: String?

  @Option(
    help: ArgumentHelp(
      "Make the tables of this server, which is one of --servers.", valueName: "name"))
  var server: String?

  @Flag(help: "Distribute the tables over the workers of Citus (not tried with Citus yet).")
  var citus = false

  /// - Throws: `ValidationError` if the options do not go together.
  func chosen() throws -> PostgresLayout {
    if let partitions, !(1...64).contains(partitions) {
      throw ValidationError("--partitions must be between 1 and 64.")
    }
    if citus {
      guard partitions == nil, servers == nil, server == nil else {
        throw ValidationError("Citus divides the tables itself; leave out the other options.")
      }
      return .citus
    }
    guard let servers else {
      if server != nil { throw ValidationError("--server needs --servers.") }
      return partitions.map { .partitions($0) } ?? .plain
    }
    let names = servers.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard let servers = PostgresServers(names, partitions: partitions) else {
      throw ValidationError(
        "--servers must be different names of lowercase letters, digits and underscores, and there "
          + "must be at least as many --partitions.")
    }
    guard let server else { return .coordinator(servers) }
    guard names.contains(server) else {
      throw ValidationError("--server \(server) is not one of --servers.")
    }
    return .server(server, of: servers)
  }
}
