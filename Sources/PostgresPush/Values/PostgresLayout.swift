/// Where the tables of a database for many people lie.
package enum PostgresLayout: Hashable, Sendable {
  /// Tables of one server.
  case plain
  /// Tables of one server in this many partitions by person.
  case partitions(Int)
  /// The coordinator of several servers, which have the partitions.
  case coordinator(PostgresServers)
  /// One of several servers, with its partitions.
  case server(String, of: PostgresServers)
  /// Tables that Citus distributes over its workers.
  case citus

  /// The settings that `partitions.sql` and `servers.sql` read.
  var settings: [(name: String, value: String)] {
    switch self {
    case .plain, .citus: []
    case .partitions(let count): [("partitions", "\(count)")]
    case .coordinator(let servers): servers.settings
    case .server(let name, let servers): servers.settings + [("server", name)]
    }
  }
}

/// Servers that share the partitions of the tables.
package struct PostgresServers: Hashable, Sendable {
  /// Their names, which are those of `CREATE SERVER` on the coordinator.
  package let names: [String]
  /// The number of partitions, which cannot change later.
  package let partitions: Int

  /// - Parameter partitions: the number of partitions; nil for one on each server.
  /// - Returns: nil if there are fewer partitions than servers, no names or the same name twice, or
  ///   if a name has other characters than lowercase letters, digits and underscores.
  package init?(_ names: [String], partitions: Int? = nil) {
    self.names = names
    self.partitions = partitions ?? names.count
    guard !names.isEmpty, Set(names).count == names.count, self.partitions >= names.count,
      names.allSatisfy(Self.isName)
    else { return nil }
  }

  private static func isName(_ name: String) -> Bool {
    let rest = name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
        UInt8(ascii: "_"):
        true
      default: false
      }
    }
    return rest && !name.isEmpty && name.utf8.count <= 40
  }

  fileprivate var settings: [(name: String, value: String)] {
    [("partitions", "\(partitions)"), ("servers", names.joined(separator: ","))]
  }
}
