import Foundation
import TestSupport
import Testing

/// `roqua sql`: its forms of output, and what it refuses.
@Suite struct SQLCommandTests {
  private let bench: Bench

  init() throws {
    bench = try Bench()
    try bench.importSamples()
  }

  private static let values = """
    SELECT 1 AS n, 0.5 AS x, 'a "b", c' AS t, NULL AS z, x'00FF' AS b
    UNION ALL SELECT 200, -12.25, 'd' || char(10) || 'e', 3, x''
    """

  @Test func `a table is aligned, and shows control characters and NULL`() throws {
    let result = try bench.roqua("sql", Self.values)
    #expect(result.status == 0 && result.err == "")
    #expect(
      result.out == """
          n       x  t         z  b
          1    0.5   a "b", c     X'00FF'
        200  -12.25  d\\u{a}e   3  X''

        """, "\(result.out)")
  }

  @Test func `CSV quotes what needs it`() throws {
    let result = try bench.roqua("sql", Self.values, "--csv")
    #expect(result.status == 0 && result.err == "")
    #expect(
      result.out == """
        n,x,t,z,b
        1,0.5,"a ""b"", c",,X'00FF'
        200,-12.25,d\\u{a}e,3,X''

        """)
  }

  @Test func `JSON is an object for each row, and keeps every character`() throws {
    let result = try bench.roqua("sql", Self.values, "--json")
    #expect(result.status == 0 && result.err == "")
    #expect(
      result.out == """
        {"n":1,"x":0.5,"t":"a \\"b\\", c","z":null,"b":"X'00FF'"}
        {"n":200,"x":-12.25,"t":"d\\ne","z":3,"b":"X''"}

        """)
  }

  @Test func `a long blob is shortened in a table only`() throws {
    let sql = "SELECT zeroblob(20) AS b"
    let zeros = String(repeating: "00", count: 20)
    #expect(
      try bench.roqua("sql", sql).out == "b\nX'\(zeros.prefix(32))…' (20 bytes)\n")
    #expect(try bench.roqua("sql", sql, "--csv").out == "b\nX'\(zeros)'\n")
  }

  @Test func `characters that a terminal obeys are never printed`() throws {
    let sql = """
      SELECT char(27) || '[31m' || char(155) || char(8238) || char(7) AS "\u{1B}]0;x\u{7}"
      """
    for form in [[], ["--json"], ["--csv"]] {
      let result = try bench.roqua(["sql", sql] + form)
      #expect(result.status == 0)
      #expect(result.controlCharacters.isEmpty && !result.out.contains("\u{202E}"), "\(form)")
    }
    let wrong = try bench.roqua("sql", "SELECT \"\u{1B}[31m\" FROM sources WHERE nothing = 1")
    #expect(wrong.status == 1 && wrong.controlCharacters.isEmpty)
  }

  @Test func `statements come from standard input, and each has its own rows`() throws {
    let result = try bench.roqua("sql", "-", input: "SELECT 1 AS a;\nSELECT 2 AS b, 3 AS c;\n")
    #expect(result.out == "a\n1\n\nb  c\n2  3\n" && result.status == 0)
    let csv = try bench.roqua("sql", "-", "--csv", input: "SELECT 1 AS a; SELECT 2 AS b")
    #expect(csv.out == "a\n1\n\nb\n2\n")
    // No rows: CSV still has its header.
    #expect(try bench.roqua("sql", "SELECT 1 AS a WHERE 0", "--csv").out == "a\n")
    #expect(try bench.roqua("sql", "SELECT 1 AS a WHERE 0").out == "")
    let empty = try bench.roqua("sql", "-", input: "")
    #expect(empty.status == 1 && empty.err == "roqua: There is no SQL statement.\n")
    let long = try bench.roqua("sql", "-", input: String(repeating: " ", count: 1 << 20 + 1))
    #expect(long.status == 1 && long.errorLines.count == 1)
  }

  @Test(arguments: [
    "-- since when?\nSELECT 1 AS a", "--\nSELECT 1 AS a", "--a=b c\nSELECT 1 AS a",
    "--json\nSELECT 1 AS a", "/* a */ SELECT 1 AS a -- b",
  ])
  func `SQL may begin with a comment`(sql: String) throws {
    for arguments in [[sql, "--csv"], ["--csv", sql], ["--csv", "--", sql]] {
      let result = try bench.roqua(["sql"] + arguments)
      #expect(result.status == 0 && result.out == "a\n1\n", "\(arguments) \(result.err)")
    }
    let result = try bench.roqua("sql", "-", "--csv", input: sql)
    #expect(result.status == 0 && result.out == "a\n1\n", "\(result.err)")
  }

  @Test func `an option that sql does not have is no comment`() throws {
    let value = try bench.roqua("sql", "SELECT :a AS a", "--param=a=b c", "--csv")
    #expect(value.status == 0 && value.out == "a\nb c\n")
    for option in ["--jsno", "--jsno=1", "--"] {
      #expect(try bench.roqua("sql", option).status == 64, "\(option)")
    }
  }

  @Test func `parameters are bound and not pasted`() throws {
    let result = try bench.roqua(
      "sql", "SELECT :name AS name, typeof(:n) AS n, typeof(:x) AS x", "--csv", "--param",
      "name=' OR 1=1 --", "--param", "n=-7", "--param", "x=1.5")
    #expect(result.out == "name,n,x\n' OR 1=1 --,integer,real\n", "\(result.err)")
    #expect(
      try bench.roqua("sql", "SELECT :a").err.hasSuffix(
        "The parameter :a has no value. Give it one with --param a=VALUE.\n"))
    for arguments in [
      ["SELECT :a"], ["SELECT 1", "--param", "a=1"],
    ] {
      let result = try bench.roqua(["sql"] + arguments)
      #expect(result.status == 1 && result.errorLines.count == 1, "\(arguments)")
      #expect(result.err.contains("parameter"))
    }
    for arguments in [
      ["SELECT :a", "--param", "a"], ["SELECT :a", "--param", "a=1", "--param", "a=2"],
      ["SELECT 1", "--json", "--csv"], [],
    ] {
      #expect(try bench.roqua(["sql"] + arguments).status == 64, "\(arguments)")
    }
  }

  @Test func `wrong SQL and SQL that writes fail with one line, and the store stays as it is`()
    throws
  {
    let before = try bytes(of: bench.storePath)
    for (sql, line) in [
      ("SELEKT 1", "roqua: SQL: near \"SELEKT\": syntax error\n"),
      ("SELECT x FROM sources", "roqua: SQL: no such column: x\n"),
      ("DELETE FROM sources", "roqua: SQL can only read the store: DELETE is not allowed.\n"),
      ("ATTACH 'x' AS y", "roqua: SQL can only read the store: ATTACH is not allowed.\n"),
    ] {
      let result = try bench.roqua("sql", sql)
      #expect(result.status == 1 && result.out == "" && result.err == line, "\(result.err)")
    }
    #expect(try bytes(of: bench.storePath) == before)
    let missing = try bench.roqua("sql", "SELECT 1", "--store", "nowhere.sqlite")
    #expect(missing.status == 1 && missing.err.contains("there is no store"))
  }

  @Test func `Ctrl-C stops a query`() throws {
    let endless = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) "
    let process = bench.process(["sql", endless + "SELECT count(*) FROM t"])
    let running = try process.start()
    _ = running.wait(seconds: 1)
    running.send(SIGINT)
    try #require(running.wait(seconds: 60))
    let result = try running.result()
    #expect(result.wasKilled && result.status == SIGINT && result.out == "")
    #expect(result.err == "roqua: interrupted: the query was stopped\n")
  }

  @Test func `Ctrl-C stops a query in a call of a function that does not end`() throws {
    // Compares four million times four million bytes: for minutes.
    let endless = "instr(hex(zeroblob(4000000)), hex(zeroblob(2000000)) || 'b')"
    let running = try bench.process(["sql", "SELECT \(endless)"]).start()
    _ = running.wait(seconds: 1)
    running.send(SIGINT)
    try #require(running.wait(seconds: 60))
    let result = try running.result()
    #expect(result.wasKilled && result.status == SIGINT && result.out == "")
    #expect(result.err == "roqua: interrupted: the query was stopped\n")
  }

  @Test func `a million rows are printed`() throws {
    let series = "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t LIMIT 1000000) "
    let result = try bench.roqua("sql", series + "SELECT n, 'text' AS t FROM t", "--csv")
    #expect(result.status == 0 && result.out.utf8.count { $0 == UInt8(ascii: "\n") } == 1_000_001)
  }
}
