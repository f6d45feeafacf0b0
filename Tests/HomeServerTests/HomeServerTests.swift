import Foundation
import GeoStore
import Geodesy
import Roqua
import TestSupport
import Testing

@testable import HomeServer

@Suite struct HomeServerTests {
  private struct Bench {
    let folder: TemporaryFolder
    let file: TokenFile
    let server: HomeServer
    let inbox: Inbox
    let phone: String
    let reader: String

    init(_ change: (inout HomeServer.Options) -> Void = { _ in }) throws {
      folder = try TemporaryFolder()
      let explorer = try Explorer(storePath: folder.file("s.sqlite"))
      try explorer.set(.minimumIntervalSeconds, to: 0)
      inbox = try Inbox(path: folder.file("s.inbox"))
      file = TokenFile(ofStore: folder.file("s.sqlite"))
      let tokens = [
        AccessToken.make(named: "phone", scope: .phone),
        AccessToken.make(named: "browser", scope: .reader),
      ]
      (phone, reader) = (tokens[0].secret, tokens[1].secret)
      try file.write(tokens.map(\.token))
      var options = HomeServer.Options()
      change(&options)
      server = HomeServer(
        explorer, inbox: inbox, tokens: try TokenList(file), options: options
      ) { question in (0, Array(question.arguments.joined(separator: " ").utf8), "") }
    }

    func get(
      _ target: String, token: String? = nil, method: String = "GET", body: String = "",
      headers: [(String, String)] = []
    ) async -> (status: Int, body: String, headers: [String: String]) {
      let answer = await server.answer(
        ServerRequest(
          method: method, target: target,
          headers: headers.map { (name: $0.0, value: $0.1) }
            + (token.map { [("authorization", "Bearer \($0)")] } ?? []),
          body: Array(body.utf8)))
      var text = ""
      if case .bytes(let bytes) = answer.body { text = String(decoding: bytes, as: UTF8.self) }
      return (
        answer.status, text,
        Dictionary(answer.headers.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
      )
    }
  }

  private static let location =
    "{\"_type\":\"location\",\"tst\":1714557600,\"lat\":48.58,\"lon\":7.75,\"acc\":8}"

  @Test func `a phone is answered as its app expects`() async throws {
    let bench = try Bench()
    let owntracks = await bench.get(
      "/owntracks", token: bench.phone, method: "POST", body: Self.location)
    #expect(owntracks.status == 200 && owntracks.body == "[]")
    let overland = await bench.get(
      "/overland?token=\(bench.phone)", method: "POST", body: "{\"locations\":[]}")
    #expect(overland.status == 200 && overland.body == "{\"result\":\"ok\"}")
    let osmand = await bench.get("/osmand/\(bench.phone)?lat=48.58&lon=7.76&timestamp=1714557700")
    #expect(osmand.status == 200)
    #expect(bench.inbox.waitingCount == 2)
    await bench.server.finish()
    #expect(bench.inbox.waitingCount == 0)
  }

  @Test func `without a token nothing is taken or shown, and a token does one thing`() async throws
  {
    let bench = try Bench()
    for path in ["/", "/map.json", "/events", "/tiles/0/0/0.png", "/api", "/api/stats", "/metrics"]
    {
      #expect(await bench.get(path).status == 401, "\(path)")
      #expect(await bench.get(path, token: bench.phone).status == 403, "\(path)")
    }
    #expect(await bench.get("/owntracks", method: "POST", body: Self.location).status == 401)
    #expect(
      await bench.get("/owntracks", token: bench.reader, method: "POST", body: Self.location).status
        == 403)
    let cookie = [("cookie", "roqua_token=\(bench.phone)")]
    #expect(
      await bench.get("/owntracks", method: "POST", body: Self.location, headers: cookie).status
        == 401)
    #expect(bench.inbox.waitingCount == 0)
    #expect(await bench.get("/health").status == 200)
  }

  @Test func `a token in the address of the page moves into a cookie`() async throws {
    let bench = try Bench()
    let answer = await bench.get("/?token=\(bench.reader)")
    #expect(answer.status == 303 && answer.headers["location"] == "/")
    let cookie = try #require(answer.headers["set-cookie"])
    #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
    let pair = String(cookie.prefix { $0 != ";" })
    #expect(await bench.get("/api", headers: [("cookie", pair)]).status == 200)
    #expect(await bench.get("/?token=wrong").status == 401)
  }

  @Test func `wrong tokens are limited, and right ones still count`() async throws {
    let bench = try Bench { $0.wrongTokenRate = (perSecond: 0, burst: 3) }
    var statuses: [Int] = []
    for number in 0..<6 {
      statuses.append(await bench.get("/api", token: "wrong-\(number)").status)
    }
    #expect(statuses == [401, 401, 401, 429, 429, 429])
    #expect(await bench.get("/api", token: bench.reader).status == 200)
  }

  @Test func `requests of a token and of an address are limited`() async throws {
    let bench = try Bench { $0.tokenRate = (perSecond: 0, burst: 2) }
    #expect(await bench.get("/api", token: bench.reader).status == 200)
    #expect(await bench.get("/api", token: bench.reader).status == 200)
    #expect(await bench.get("/api", token: bench.reader).status == 429)
    let other = try Bench { $0.addressRate = (perSecond: 0, burst: 1) }
    #expect(await other.get("/health").status == 200)
    #expect(await other.get("/health").status == 429)
    // A stranger with the same address does not keep others from sending.
    #expect(await other.get("/api").status == 429)
    #expect(await other.get("/api", token: "wrong").status == 429)
    #expect(await other.get("/api", token: other.reader).status == 200)
    let sent = await other.get(
      "/owntracks", token: other.phone, method: "POST", body: Self.location)
    #expect(sent.status == 200)
  }

  @Test func `open pages are shown under the names of this machine only`() async throws {
    let bench = try Bench { $0.showsPagesToAll = true }
    for host in [
      "localhost", "localhost:8787", "LOCALHOST", "127.0.0.1", "127.0.0.1:1", "[::1]", "[::1]:8787",
    ] {
      #expect(await bench.get("/api", headers: [("Host", host)]).status == 200, "\(host)")
    }
    for host in [
      "", "example.org", "example.org:8787", "localhost.example.org", "127.0.0.1.example.org",
      "localhost:x", "::1", "localhost:80:80", "[::1", "example.org#localhost", "10.0.0.1",
    ] {
      #expect(await bench.get("/api", headers: [("Host", host)]).status == 403, "\(host)")
    }
    #expect(await bench.get("/api").status == 403)
    #expect(await bench.get("/health", headers: [("Host", "example.org")]).status == 200)
  }

  @Test func `the tag of a tile is not that of another run`() async throws {
    var tags: Set<String> = []
    for _ in 0..<3 {
      let bench = try Bench()
      _ = await bench.get("/pub", token: bench.phone, method: "POST", body: Self.location)
      await bench.server.finish()
      let tile = await bench.get("/tiles/0/0/0.png", token: bench.reader)
      tags.insert(try #require(tile.headers["etag"]))
    }
    #expect(tags.count == 3)
  }

  @Test func `pages, tiles, questions and metrics`() async throws {
    let bench = try Bench()
    _ = await bench.get("/pub", token: bench.phone, method: "POST", body: Self.location)
    await bench.server.finish()
    let page = await bench.get("/", token: bench.reader)
    #expect(page.status == 200 && page.body.contains("EventSource"))
    #expect(page.body.contains("connect-src 'self'"))
    let update = await bench.get("/map.json", token: bench.reader)
    let object = try JSONSerialization.jsonObject(with: Data(update.body.utf8)) as? [String: Any]
    let stats = (object?["page"] as? [String: Any])?["stats"] as? [String: Any]
    #expect((stats?["cells"] as? Int ?? 0) > 0 && (object?["cells"] as? String)?.isEmpty == false)
    let tile = await bench.get("/tiles/0/0/0.png", token: bench.reader)
    #expect(tile.status == 200 && tile.headers["content-type"] == "image/png")
    let tag = try #require(tile.headers["etag"])
    #expect(
      await bench.get("/tiles/0/0/0.png", token: bench.reader, headers: [("if-none-match", tag)])
        .status == 304)
    #expect(await bench.get("/tiles/14/8544/5656.mvt", token: bench.reader).status <= 204)
    for path in [
      "/tiles/0/1/0.png", "/tiles/99/0/0.png", "/tiles/-1/0/0", "/tiles/0/0/0.gif",
      "/tiles/0/0", "/nothing", "/api/export", "/api/stats/x",
    ] {
      #expect(await bench.get(path, token: bench.reader).status == 404, "\(path)")
    }
    #expect(
      await bench.get("/api/stats?by=year", token: bench.reader).body == "stats --json --by=year")
    #expect(await bench.get("/api/stats?x=1", token: bench.reader).status == 400)
    #expect(await bench.get("/", token: bench.reader, method: "DELETE").status == 405)
    let metrics = await bench.get("/metrics", token: bench.reader)
    #expect(metrics.body.contains("\nroqua_fixes_received_total 1\n"))
    #expect(!metrics.body.contains(bench.phone) && !metrics.body.contains(bench.reader))
  }

  @Test(.timeLimit(.minutes(60)), arguments: [false, true])
  func `the event stream of a token ends when the token is removed or replaced`(
    isMadeAnew: Bool
  ) async throws {
    let bench = try Bench()
    let running = Task { [server = bench.server] in await server.run() }
    let request = ServerRequest(
      method: "GET", target: "/events", headers: [("authorization", "Bearer \(bench.reader)")])
    guard case .events(let stream) = await bench.server.answer(request).body else {
      Issue.record("there is no stream")
      return
    }
    let tokens = try bench.file.read()
    let others = tokens.filter { $0.name != "browser" }
    let again = AccessToken.make(named: "browser", scope: .reader).token
    try bench.file.write(others + (isMadeAnew ? [again] : []))
    // Without the removal, heartbeats go on for ever.
    for await _ in stream {}
    #expect(await bench.get("/events", token: bench.reader).status == 401)
    running.cancel()
    await running.value
  }

  @Test(.timeLimit(.minutes(60)))
  func `an open page gets the lists of places, and nothing if nothing has changed`()
    async throws
  {
    let bench = try Bench()
    let first = await bench.get("/map.json", token: bench.reader)
    let tag = try #require(first.headers["etag"])
    #expect(await bench.get("/", token: bench.reader).body.contains(tag))
    let same = await bench.get(
      "/map.json", token: bench.reader, headers: [("if-none-match", tag)])
    #expect(same.status == 304 && same.body.isEmpty)
    let running = Task { [server = bench.server] in await server.run() }
    // The server may begin to look for changes after the first of them.
    var (next, minute) = (first, 0)
    while next.body.contains("\"cells\":0,") {
      minute += 1
      let path = "/osmand/\(bench.phone)?lat=48.58&lon=\(7.75 + Double(minute % 90) * 0.01)"
      _ = await bench.get("\(path)&timestamp=\(1_714_557_600 + minute * 600)")
      next = await bench.get("/map.json", token: bench.reader)
    }
    running.cancel()
    await running.value
    next = await bench.get("/map.json", token: bench.reader, headers: [("if-none-match", tag)])
    #expect(next.status == 200)
    let page = await bench.get("/", token: bench.reader).body
    let object = try JSONSerialization.jsonObject(with: Data(next.body.utf8)) as? [String: Any]
    for id in ["cells", "lists", "regions"] {
      let text = try #require(object?[id] as? String)
      #expect(!text.isEmpty && page.contains(">\(text)</script>"), "\(id)")
      #expect(!first.body.contains("\"\(text)\""), "\(id)")
    }
  }

  @Test func `an Overland position with a negative accuracy is dropped as inaccurate`()
    async throws
  {
    // CoreLocation: a negative horizontalAccuracy says that the coordinate is invalid.
    let bench = try Bench()
    let features = [-1, 8].map { accuracy in
      "{\"geometry\":{\"type\":\"Point\",\"coordinates\":[7.75,48.58]},\"properties\":{"
        + "\"timestamp\":\"2024-05-01T10:0\(abs(accuracy)):00Z\","
        + "\"horizontal_accuracy\":\(accuracy)}}"
    }
    let sent = await bench.get(
      "/overland", token: bench.phone, method: "POST",
      body: "{\"locations\":[\(features.joined(separator: ","))]}")
    #expect(sent.status == 200)
    await bench.server.finish()
    let metrics = await bench.get("/metrics", token: bench.reader).body
    #expect(metrics.contains("\nroqua_fixes_kept_total 1\n"))
    #expect(metrics.contains("\nroqua_fixes_dropped_total{reason=\"inaccurate\"} 1\n"))
  }

  @Test func `only a right token makes a sender known`() async throws {
    let bench = try Bench()
    for (target, token, isKnown) in [
      ("/api", bench.reader, true), ("/api", bench.phone, true), ("/api", "wrong", false),
      ("/health", "wrong", false), ("/nowhere", bench.reader, true), ("/../x", bench.reader, false),
    ] {
      let request = ServerRequest(
        method: "GET", target: target, headers: [("authorization", "Bearer \(token)")])
      #expect(await bench.server.answer(request).isForKnownSender == isKnown, "\(target)")
    }
  }

  @Test func `a message that is not one is refused, and nothing of it is taken`() async throws {
    let bench = try Bench()
    let cut = String(Self.location.dropLast(5))
    let answer = await bench.get("/owntracks", token: bench.phone, method: "POST", body: cut)
    #expect(answer.status == 400 && bench.inbox.waitingCount == 0)
    #expect(await bench.get("/owntracks", token: bench.phone, method: "PUT").status == 405)
  }

  @Test func `a damaged row of the inbox is named by its number, and the server is well`()
    async throws
  {
    let bench = try Bench()
    #expect(await bench.get("/health").body == "{\"status\":\"ok\"}\n")
    for seconds in [0, 100, 200] {
      let place = "lat=48.\(58 + seconds)&lon=7.75"
      let path = "/osmand/\(bench.phone)?\(place)&timestamp=\(1_714_557_600 + seconds)"
      #expect(await bench.get(path).status == 200)
    }
    try InboxTests.alter(bench.inbox.path, "UPDATE received SET device_id = 7 WHERE id = 2")
    await bench.server.finish()
    let health = await bench.get("/health")
    #expect(health.status == 200)
    #expect(
      health.body
        == #"{"status":"1 damaged row of the inbox set aside; all else is recorded","setAside":"#
        + #"[{"table":"received","row":2,"reason":"its device is unknown"}]}"# + "\n")
    let metrics = await bench.get("/metrics", token: bench.reader).body
    #expect(metrics.contains("\nroqua_inbox_rows_set_aside 1\n"))
    #expect(metrics.contains("\nroqua_fixes_waiting 0\n"))
  }

  @Test func `metrics are lines that Prometheus reads`() async throws {
    let bench = try Bench()
    let text = await bench.get("/metrics", token: bench.reader).body
    var (types, names) = (Set<String>(), Set<String>())
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ")
      if line.hasPrefix("# TYPE ") {
        #expect(types.insert(String(words[2])).inserted, "twice: \(line)")
      } else if !line.hasPrefix("#") {
        let name = String(words[0].prefix { $0 != "{" })
        let family = ["_bucket", "_sum", "_count"].reduce(name) {
          $0.hasSuffix($1) ? String($0.dropLast($1.count)) : $0
        }
        #expect(words.count == 2 && Double(words[1]) != nil && types.contains(family), "\(line)")
        names.insert(String(words[0]))
      }
    }
    #expect(text.hasSuffix("\n") && names.count > 20)
  }
}
