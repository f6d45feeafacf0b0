import PhoneProtocols

/// An HTTP request, whole and within the limits of the server.
package struct ServerRequest: Sendable {
  /// The method, as sent: `GET`.
  package var method: String
  /// The path and the query, as sent.
  package var target: String
  /// The fields of the head; names in lowercase.
  package var headers: [(name: String, value: String)]
  /// The body.
  package var body: [UInt8]
  /// The address of the other end of the connection, without its port.
  package var address: String

  /// Creates a request.
  package init(
    method: String, target: String, headers: [(name: String, value: String)] = [],
    body: [UInt8] = [], address: String = "127.0.0.1"
  ) {
    self.method = method
    self.target = target
    self.headers = headers.map { ($0.name.lowercased(), $0.value) }
    self.body = body
    self.address = address
  }

  /// The value of the first field with a name in lowercase.
  package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// The answer to a request.
package struct ServerAnswer: Sendable {
  /// The body of an answer.
  package enum Body: Sendable {
    /// All of it.
    case bytes([UInt8])
    /// Server-sent events, each with its end.
    case events(AsyncStream<[UInt8]>)
  }

  /// The status code.
  package var status: Int
  /// The fields of the head, without those about the length.
  package var headers: [(name: String, value: String)]
  /// The body.
  package var body: Body
  /// Whether the request had a right token, or needed none. The connection of another one is closed
  /// first when there are too many, even while its answer is written.
  package var isForKnownSender = false

  /// Creates an answer.
  package init(_ status: Int, headers: [(name: String, value: String)] = [], body: Body) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// An answer with a text.
  package static func text(
    _ status: Int, _ text: String, type: String = "text/plain; charset=utf-8"
  ) -> ServerAnswer {
    ServerAnswer(status, headers: [("content-type", type)], body: .bytes(Array(text.utf8)))
  }

  /// An answer that says why a request was refused, as a sentence.
  package static func refusal(_ status: Int, _ sentence: String) -> ServerAnswer {
    text(status, sentence + "\n")
  }
}
