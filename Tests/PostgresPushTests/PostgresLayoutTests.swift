import Testing

@testable import PostgresPush

@Suite struct PostgresLayoutTests {
  @Test func `servers have distinct simple names, and at least a partition each`() {
    #expect(PostgresServers([]) == nil)
    #expect(PostgresServers(["east", "east"]) == nil)
    #expect(PostgresServers(["East"]) == nil)
    #expect(PostgresServers(["east'"]) == nil)
    #expect(PostgresServers(["", "west"]) == nil)
    #expect(PostgresServers([String(repeating: "a", count: 41)]) == nil)
    #expect(PostgresServers(["east", "west"], partitions: 1) == nil)
    #expect(PostgresServers(["east", "west"], partitions: 2)?.partitions == 2)
    #expect(PostgresServers(["east_1", "west"])?.partitions == 2)
  }

  @Test func `a layout is the same files with other settings`() throws {
    let plain = PostgresSchema.sql(for: .plain)
    #expect(!plain.contains("SET LOCAL roqua"))
    #expect(
      PostgresSchema.sql(for: .partitions(16)) == "SET LOCAL roqua.partitions = '16';\n" + plain)
    let servers = try #require(PostgresServers(["east", "west"], partitions: 6))
    let shared = "SET LOCAL roqua.partitions = '6';\nSET LOCAL roqua.servers = 'east,west';\n"
    #expect(PostgresSchema.sql(for: .coordinator(servers)) == shared + plain)
    #expect(
      PostgresSchema.sql(for: .server("west", of: servers))
        == shared + "SET LOCAL roqua.server = 'west';\n" + plain)
    let citus = PostgresSchema.sql(for: .citus)
    #expect(citus.contains("create_distributed_table('roqua.people', 'person')"))
    #expect(!citus.contains("PARTITION BY HASH"))
  }
}
