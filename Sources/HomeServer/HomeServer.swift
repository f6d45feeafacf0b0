import GeoStore
import Geodesy
import PhoneProtocols
import Roqua
import Synchronization

/// Takes what phones send, and answers questions of browsers and programs. It knows nothing of
/// sockets: a transport passes requests that are whole and within its limits.
package final class HomeServer: Sendable {
  /// What a server allows.
  package struct Options: Sendable {
    /// Whether pages and answers need no token.
    package var showsPagesToAll = false
    /// Requests of a token in a second, and at once.
    package var tokenRate = (perSecond: 100.0, burst: 1_000.0)
    /// Requests from an address in a second, and at once. A proxy is one address.
    package var addressRate = (perSecond: 1_000.0, burst: 5_000.0)
    /// Wrong tokens from an address in a second, and at once.
    package var wrongTokenRate = (perSecond: 1.0, burst: 20.0)
    /// The maximum number of pages that listen to changes.
    package var mostListeners = 64

    /// Creates the default options.
    package init() {}
  }

  /// Answers a question: the status of the command, and what it printed.
  package typealias Answerer =
    @Sendable (Question) async -> (status: Int32, output: [UInt8], error: String)

  /// The counters.
  package let metrics = ServerMetrics()
  private let inbox: Inbox
  private let recorder: PhoneRecorder
  private let tokens: TokenList
  private let options: Options
  private let answerer: Answerer
  private let explorer: Explorer
  private let map: LiveMap
  private let events = ChangeEvents()
  private let limits: Mutex<Limits>
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant

  private struct Limits: Sendable {
    var token: RateLimiter
    var address: RateLimiter
    var wrongToken: RateLimiter
  }

  /// Creates a server that does nothing yet.
  package init(
    _ explorer: Explorer, inbox: Inbox, tokens: TokenList, options: Options = Options(),
    answerer: @escaping Answerer
  ) {
    (self.explorer, self.inbox, self.tokens) = (explorer, inbox, tokens)
    (self.options, self.answerer) = (options, answerer)
    recorder = PhoneRecorder(explorer, inbox)
    map = LiveMap(explorer)
    start = clock.now
    func limiter(_ rate: (perSecond: Double, burst: Double)) -> RateLimiter {
      RateLimiter(perSecond: rate.perSecond, burst: rate.burst)
    }
    limits = Mutex(
      Limits(
        token: limiter(options.tokenRate), address: limiter(options.addressRate),
        wrongToken: limiter(options.wrongTokenRate)))
  }

  /// Records and passes changes on until the task is canceled; then ends all recordings.
  package func run() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.recorder.run() }
      group.addTask {
        for await change in self.explorer.changes {
          self.map.noteChange()
          self.events.send(change)
        }
      }
      group.addTask {
        while !Task.isCancelled {
          try? await Task.sleep(for: .seconds(15))
          self.events.sendHeartbeat()
        }
      }
      group.addTask {
        while !Task.isCancelled {
          try? await Task.sleep(for: .milliseconds(250))
          self.events.endForbidden()
        }
      }
      await group.waitForAll()
    }
  }

  /// Ends all event streams, so that connections can close.
  package func closeEvents() { events.close() }

  /// Stores what has come and ends all recordings.
  package func finish() async {
    await recorder.finish()
    await inbox.close()
  }

  // MARK: - Requests

  /// Answers a request.
  package func answer(_ request: ServerRequest) async -> ServerAnswer {
    let began = clock.now
    var answer = await route(request)
    answer.headers += [
      ("cache-control", "no-store"), ("x-content-type-options", "nosniff"),
      ("referrer-policy", "no-referrer"), ("x-frame-options", "DENY"),
    ].filter { field in !answer.headers.contains { $0.name == field.0 } }
    metrics.count(status: answer.status, seconds: (clock.now - began) / .seconds(1))
    return answer
  }

  private func route(_ request: ServerRequest) async -> ServerAnswer {
    let now = (clock.now - start) / .seconds(1)
    let target = RequestTarget(request.target)
    let first = target?.segments.first ?? ""
    let app: PhoneApp? = PhoneApp(rawValue: first) ?? (first == "pub" ? .owntracks : nil)
    let secret = target.flatMap { Self.secret(of: request, $0, to: app) }
    let sender = Sender(
      token: secret.flatMap { tokens.token($0) }, hasSecret: secret != nil, time: now)
    var answer = await answer(request, target, to: app, sender)
    answer.isForKnownSender = sender.token != nil || options.showsPagesToAll
    return answer
  }

  private func answer(
    _ request: ServerRequest, _ target: RequestTarget?, to app: PhoneApp?, _ sender: Sender
  ) async -> ServerAnswer {
    guard isWithinLimits(sender, request) else {
      metrics.countLimited()
      return .tooManyRequests
    }
    guard let target else { return .notFound }
    if target.segments == ["health"] {
      return .health(isHealthy: await recorder.counts.isHealthy, inbox)
    }
    if let app { return await receive(request, target, from: app, sender) }
    guard request.method == "GET" || request.method == "HEAD" else {
      return ServerAnswer(405, headers: [("allow", "GET, HEAD")], body: .bytes([]))
    }
    if let refusal = refuseReader(request, sender) { return refusal }
    return await show(request, target, to: sender)
  }

  /// Who sent a request, and when.
  private struct Sender {
    /// Nil if the request has no token, or a wrong one.
    let token: AccessToken?
    /// Whether the request has a token, right or wrong.
    let hasSecret: Bool
    /// The time in seconds since the start.
    let time: Double
  }

  /// The secret of a request to an app's route, or to a page; nil if it has none.
  private static func secret(
    of request: ServerRequest, _ target: RequestTarget, to app: PhoneApp?
  ) -> String? {
    if app != nil, target.segments.count == 2 { return target.segments[1] }
    return Credentials.token(of: request, target, allowsCookie: app == nil)
  }

  /// Counts a request by its token, or by its address if it has no right one: a stranger behind the
  /// same proxy must not keep a phone from sending.
  private func isWithinLimits(_ sender: Sender, _ request: ServerRequest) -> Bool {
    limits.withLock { limits in
      if let token = sender.token { return limits.token.take(token.name, at: sender.time) }
      return limits.address.take(request.address, at: sender.time)
    }
  }

  /// The answer to a request without a right token that needs one.
  private func refuse(_ sender: Sender, _ request: ServerRequest) -> ServerAnswer {
    guard sender.hasSecret else { return .unauthorized }
    metrics.countWrongToken()
    let mayTry = limits.withLock { $0.wrongToken.take(request.address, at: sender.time) }
    return mayTry ? .unauthorized : .tooManyRequests
  }

  /// The answer to a reader without a token; nil if the request may be answered.
  private func refuseReader(_ request: ServerRequest, _ sender: Sender) -> ServerAnswer? {
    if options.showsPagesToAll {
      return LocalHost.isNamed(by: request.header("host"))
        ? nil
        : .refusal(
          403, "Open pages have the addresses localhost, 127.0.0.1 and [::1], and no others.")
    }
    guard let token = sender.token else { return refuse(sender, request) }
    return token.scope == .reader ? nil : .refusal(403, "This token can only send positions.")
  }

  // MARK: - Phones

  private func receive(
    _ request: ServerRequest, _ target: RequestTarget, from app: PhoneApp, _ sender: Sender
  ) async -> ServerAnswer {
    guard target.segments.count <= 2 else { return .notFound }
    guard request.method == "POST" || request.method == "GET" else {
      return ServerAnswer(405, headers: [("allow", "GET, POST")], body: .bytes([]))
    }
    guard let device = sender.token else { return refuse(sender, request) }
    guard device.scope == .phone else {
      return .refusal(403, "This token can only read; use the token of a phone.")
    }
    let message = PhoneMessage(
      query: target.query, contentType: request.header("content-type"), body: request.body)
    do {
      let reading = try app.read(message, now: explorer.store.options.now())
      let receipt =
        reading.fixes.isEmpty
        ? Inbox.Receipt() : try await inbox.receive(reading.fixes, from: device.name)
      metrics.count(receipt, skipped: reading.skipped, others: reading.otherMessages)
      let answer = app.answer
      return .text(200, answer.body, type: answer.contentType)
    } catch MessageError.malformed(let sentence) {
      return .refusal(400, sentence)
    } catch {
      // Apps that queue try again.
      var answer = ServerAnswer.refusal(503, "The fixes cannot be stored now; try again later.")
      answer.headers.append(("retry-after", "30"))
      return answer
    }
  }

  // MARK: - Pages

  private func show(
    _ request: ServerRequest, _ target: RequestTarget, to sender: Sender
  ) async -> ServerAnswer {
    switch (target.segments.first ?? "", target.segments.count) {
    case ("", 0): return await showMap(request, target)
    case ("map.json", 1):
      return await blocking { server in
        let page = try server.map.page()
        if request.header("if-none-match") == page.tag {
          return ServerAnswer(304, headers: [("etag", page.tag)], body: .bytes([]))
        }
        return ServerAnswer(
          200, headers: [("etag", page.tag), ("content-type", "application/json")],
          body: .bytes(page.update))
      }
    case ("events", 1):
      guard metrics.changeListeners(by: 1, most: options.mostListeners) else {
        return .refusal(503, "Too many pages listen to changes.")
      }
      let isAllowed = { @Sendable [tokens, options] in
        options.showsPagesToAll || sender.token.map(tokens.contains) ?? false
      }
      let stream = events.listen(whileAllowed: isAllowed) { [metrics] in
        _ = metrics.changeListeners(by: -1)
      }
      return ServerAnswer(
        200, headers: [("content-type", "text/event-stream")], body: .events(stream))
    case ("tiles", 4): return await tile(request, target)
    case ("metrics", 1):
      let text = metrics.text(
        await recorder.counts, waiting: inbox.waitingCount, setAside: inbox.setAsideCount)
      return .text(200, text, type: "text/plain; version=0.0.4; charset=utf-8")
    case ("api", 1):
      let names = Question.names.map { JSONValue.string("/api/\($0)") }
      return .json(200, ["questions": .array(names)])
    case ("api", 2): return await question(target)
    default: return .notFound
    }
  }

  private func showMap(_ request: ServerRequest, _ target: RequestTarget) async -> ServerAnswer {
    // A token in the address would stay in the browser's history.
    if let token = target.query.text("token") {
      let isSecure = request.header("x-forwarded-proto") == "https"
      let cookie =
        "\(Credentials.cookie)=\(token); Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000"
        + (isSecure ? "; Secure" : "")
      let isToken = token.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF) || byte == 0x2D
          || byte == 0x5F
      }
      return ServerAnswer(
        303, headers: [("location", "/")] + (isToken ? [("set-cookie", cookie)] : []),
        body: .bytes([]))
    }
    return await blocking { server in
      ServerAnswer(
        200, headers: [("content-type", "text/html; charset=utf-8")],
        body: .bytes(try server.map.page().html))
    }
  }

  private func tile(_ request: ServerRequest, _ target: RequestTarget) async -> ServerAnswer {
    let names = target.segments
    let parts = names[3].split(separator: ".", omittingEmptySubsequences: false)
    guard let zoom = Self.number(names[1]), let x = Self.number(names[2]), parts.count <= 2,
      let y = parts.first.flatMap({ Self.number(String($0)) })
    else { return .notFound }
    let form = parts.count == 2 ? String(parts[1]) : "png"
    guard form == "png" || form == "mvt" else { return .notFound }
    return await blocking { server in
      let (revision, tiles) = try server.map.tiles()
      let tag = server.map.tag(ofRevision: revision)
      let headers = [("etag", tag), ("cache-control", "private, no-cache")]
      if request.header("if-none-match") == tag {
        return ServerAnswer(304, headers: headers, body: .bytes([]))
      }
      guard let picture = tiles.picture(zoom: zoom, x: x, y: y) else { return .notFound }
      if form == "png" {
        return ServerAnswer(
          200, headers: headers + [("content-type", "image/png")], body: .bytes(picture))
      }
      let shapes = tiles.shapes(zoom: zoom, x: x, y: y)
      return ServerAnswer(
        shapes == nil ? 204 : 200,
        headers: headers + [("content-type", "application/vnd.mapbox-vector-tile")],
        body: .bytes(shapes ?? []))
    }
  }

  /// A number of at most seven digits, without a sign.
  private static func number(_ text: String) -> Int? {
    (1...7).contains(text.utf8.count) && text.utf8.allSatisfy { (0x30...0x39).contains($0) }
      ? Int(text) : nil
  }

  private func question(_ target: RequestTarget) async -> ServerAnswer {
    let question: Question
    do {
      question = try Question(target.segments[1], target.query)
    } catch {
      switch error {
      case .unknown: return .notFound
      case .parameter(let sentence): return .json(400, ["error": .string(sentence)])
      }
    }
    let answer = await answerer(question)
    switch answer.status {
    case 0:
      return ServerAnswer(
        200, headers: [("content-type", "application/json")], body: .bytes(answer.output))
    case 64: return .json(400, ["error": .string(answer.error)])
    default: return .json(500, ["error": .string(answer.error)])
    }
  }

  /// Runs blocking work on a thread of its own.
  private func blocking(
    _ body: @escaping @Sendable (HomeServer) throws -> ServerAnswer
  ) async -> ServerAnswer {
    do {
      return try await Store.onThread { _ in try body(self) }
    } catch {
      return .refusal(500, "The store cannot be read.")
    }
  }
}
