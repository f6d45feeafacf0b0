import HomeServer
import NIOCore
import NIOHTTP1

/// The requests of one connection, one after another.
final class HTTPRequestHandler: ChannelInboundHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart
  private typealias Limits = HTTPTransport.Limits

  private let connections: OpenConnections
  /// Its number among the connections and the server; nil until it is open, and if it is refused.
  private var place: (number: Int, server: HomeServer)?
  /// The head of the request whose body is being read.
  private var head: HTTPRequestHead?
  /// The number of requests that have begun.
  private var requestCount = 0
  private var body: [UInt8] = []
  /// Whether what comes is ignored, because the connection is about to be closed.
  private var isRefused = false
  private var deadline: Scheduled<Void>?
  private var answering: Task<Void, Never>?

  init(_ connections: OpenConnections) { self.connections = connections }

  func channelActive(context: ChannelHandlerContext) {
    place = connections.open(context.channel)
    guard place != nil else { return context.close(promise: nil) }
    setDeadline(Limits.head, context)
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    deadline?.cancel()
    answering?.cancel()
    context.fireChannelInactive()
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

  /// Closes the connection after a time, unless another deadline is set.
  private func setDeadline(_ time: TimeAmount, _ context: ChannelHandlerContext) {
    deadline?.cancel()
    let channel = context.channel
    deadline = context.eventLoop.scheduleTask(in: time) { channel.close(promise: nil) }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard !isRefused else { return }
    switch unwrapInboundIn(data) {
    case .head(let head):
      (self.head, body) = (head, [])
      requestCount += 1
      setDeadline(Limits.body, context)
      let length = head.headers.first(name: "content-length").flatMap { Int($0) } ?? 0
      if length > Limits.bodyBytes { return refuse(.payloadTooLarge, context) }
      if head.headers.first(name: "expect")?.lowercased() == "100-continue" {
        let answer = HTTPResponseHead(version: head.version, status: .continue)
        context.writeAndFlush(wrapOutboundOut(.head(answer)), promise: nil)
      }
    case .body(let buffer):
      if body.count + buffer.readableBytes > Limits.bodyBytes {
        return refuse(.payloadTooLarge, context)
      }
      body.append(contentsOf: buffer.readableBytesView)
    case .end:
      guard let head, let place else { return }
      self.head = nil
      deadline?.cancel()
      connections.endWait(place.number)
      answer(head, place.server, as: place.number, context)
    }
  }

  /// Answers without reading the rest, and closes.
  private func refuse(_ status: HTTPResponseStatus, _ context: ChannelHandlerContext) {
    (isRefused, body) = (true, [])
    let headers: HTTPHeaders = ["connection": "close", "content-length": "0"]
    let answer = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    context.write(wrapOutboundOut(.head(answer)), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    context.channel.setOption(.autoRead, value: false).whenComplete { _ in }
    setDeadline(Limits.lingering, context)
  }

  private func answer(
    _ head: HTTPRequestHead, _ server: HomeServer, as place: Int, _ context: ChannelHandlerContext
  ) {
    let request = ServerRequest(
      method: head.method.rawValue, target: head.uri,
      headers: head.headers.map { ($0.name, $0.value) }, body: body,
      address: context.remoteAddress?.ipAddress ?? "")
    body = []
    let (channel, connections) = (context.channel, connections)
    let handler = NIOLoopBound(self, eventLoop: context.eventLoop)
    let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
    let number = requestCount
    connections.beginAnswer()
    answering = Task {
      defer { connections.endAnswer() }
      let answer = await server.answer(request)
      // Who has no token can make the server wait until an answer is taken, but not others.
      if !answer.isForKnownSender { connections.beginWait(place) }
      let isKept = await AnswerWriter(channel: channel).write(answer, to: head)
      channel.eventLoop.execute {
        // The next request may have begun, with a deadline of its own.
        guard isKept, channel.isActive, handler.value.requestCount == number else { return }
        connections.beginWait(place)
        handler.value.setDeadline(Limits.idle, bound.value)
      }
    }
  }
}

/// Writes answers to a connection.
struct AnswerWriter: Sendable {
  let channel: any Channel

  /// Writes an answer and waits until the other end has taken it; returns whether the connection
  /// stays open.
  func write(_ answer: ServerAnswer, to request: HTTPRequestHead) async -> Bool {
    var headers = HTTPHeaders(answer.headers.map { ($0.name, $0.value) })
    let isKept: Bool
    if case .events = answer.body { isKept = false } else { isKept = request.isKeepAlive }
    if !isKept {
      headers.replaceOrAdd(name: "connection", value: "close")
    } else if request.version.minor == 0 {
      headers.replaceOrAdd(name: "connection", value: "keep-alive")
    }
    if case .bytes(let bytes) = answer.body, answer.status != 204, answer.status != 304 {
      headers.replaceOrAdd(name: "content-length", value: "\(bytes.count)")
    }
    let status = HTTPResponseStatus(statusCode: answer.status)
    let head = HTTPResponseHead(version: request.version, status: status, headers: headers)
    do {
      switch answer.body {
      case .bytes(let bytes):
        let isSent = !bytes.isEmpty && request.method != .HEAD && answer.status != 304
        try await send(
          [.head(head)] + (isSent ? [.body(.byteBuffer(ByteBuffer(bytes: bytes)))] : [])
            + [.end(nil)])
      case .events(let stream):
        try await send([.head(head)])
        if request.method != .HEAD {
          for await bytes in stream {
            try await send([.body(.byteBuffer(ByteBuffer(bytes: bytes)))])
          }
        }
        try await send([.end(nil)])
      }
      if !isKept { try await channel.close() }
      return isKept
    } catch {
      channel.close(promise: nil)
      return false
    }
  }

  /// Writes parts, and waits until they are taken. Closes the connection if that takes too long.
  private func send(_ parts: [HTTPServerResponsePart]) async throws {
    let late = channel.eventLoop.scheduleTask(in: HTTPTransport.Limits.write) {
      channel.close(promise: nil)
    }
    defer { late.cancel() }
    for part in parts.dropLast() { channel.write(part, promise: nil) }
    if let last = parts.last { try await channel.writeAndFlush(last) }
  }
}
