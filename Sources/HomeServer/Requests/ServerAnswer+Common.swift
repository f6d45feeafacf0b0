import Roqua

/// Answers that several routes give.
extension ServerAnswer {
  /// There is no such route.
  static var notFound: ServerAnswer { refusal(404, "There is no such page.") }

  /// There is no token, or not one that exists.
  static var unauthorized: ServerAnswer {
    var answer = refusal(401, "A token is needed.")
    answer.headers.append(("www-authenticate", "Basic realm=\"Roqua\", charset=\"UTF-8\""))
    return answer
  }

  /// The sender has to wait.
  static var tooManyRequests: ServerAnswer {
    var answer = refusal(429, "Too many requests.")
    answer.headers.append(("retry-after", "10"))
    return answer
  }

  /// A document.
  static func json(_ status: Int, _ document: JSONValue) -> ServerAnswer {
    text(status, document.description + "\n", type: "application/json")
  }
}
