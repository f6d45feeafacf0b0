import ArgumentParser
import Foundation
import HomeServer
import Roqua
import SQLiteLayer

/// `roqua serve`: a server for phones and browsers.
struct Serve: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Record what phones send, and show the map live.",
    discussion: """
      The apps OwnTracks, Overland, OsmAnd, Traccar Client and GPSLogger send positions over HTTP. \
      Each phone has a token of its own, and is recorded as a source with the name of its token:

        roqua serve token add anna-phone
        roqua serve token add my-browser --read
        roqua serve

      An app sends to http://HOST:8787/owntracks, /overland, /osmand, /traccar or /gpslogger, with \
      the token as password, as bearer token, as ?token=TOKEN, or behind the name of the app: \
      /osmand/TOKEN. share/doc/roqua/serve.md shows the settings of each app.

      The page is at /, with the token of a reader: /?token=TOKEN. /api answers questions like \
      the commands with --json, /tiles has map tiles, /metrics numbers for Prometheus, and \
      /health says whether all is well.

      It listens on this machine only. To reach it from elsewhere, put a server with TLS in front \
      of it, such as Caddy or nginx: tokens and positions must not travel unencrypted.
      """,
    subcommands: [Run.self, Token.self], defaultSubcommand: Run.self)
}

extension Serve {
  /// `roqua serve run`, and `roqua serve` alone.
  struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "run",
      abstract: "Run the server (the default).",
      discussion: """
        The server runs until it is interrupted, and then ends all recordings.

        Example: roqua serve run --listen 127.0.0.1:8787

        Exit status: 0 after Ctrl-C or SIGTERM, 1 failure, 64 wrong usage.
        """)

    @OptionGroup var store: StoreArguments

    @Option(
      help: ArgumentHelp(
        "Listen on this address and port; 0 is any free port. (default: 127.0.0.1:8787)",
        valueName: "host:port"), transform: ListenAddress.parse)
    var listen = ListenAddress.standard

    @Flag(help: "Show the map and answers without a token to whoever can connect.")
    var openPages = false

    func validate() throws {
      if openPages, !listen.isLoopback {
        throw ValidationError(
          "--open-pages shows where you were to everybody who can connect; it needs an address of "
            + "this machine, such as 127.0.0.1:8787.")
      }
    }

    func run() throws {
      try Console.reportingErrors {
        // A fix leaves the inbox when the store has it, which must survive a power cut.
        let explorer = try store.open(creating: true, durability: .full)
        let path = try store.path
        let file = TokenFile(ofStore: path)
        let tokens: TokenList
        let lock: ServerLock
        let transport: HTTPTransport
        do {
          tokens = try TokenList(file)
          let known = try ServerLock(ofExistingFileOf: path)
          // Before anything is created: the port may be in use.
          transport = try ServerProcess.transport(listen)
          lock = try known ?? ServerLock(ofStore: path)
        } catch let failure as TokenFile.Failure {
          throw Console.Failure(failure.description)
        } catch let failure as ServerLock.Failure {
          throw Console.Failure(failure.description)
        }
        if tokens.count == 0 {
          Console.printError(
            "roqua: there is no token yet, so nothing is accepted; roqua serve token add NAME "
              + "makes one")
        }
        if !listen.isLoopback {
          Console.printError(
            "roqua: \(listen.host) can be reached from other machines, and nothing is encrypted; "
              + "use TLS in front of it (share/doc/roqua/serve.md)")
        }
        // Creates the store, so that questions have answers, and fails now if it cannot be written.
        try explorer.write { _ in }
        let inbox = try Inbox(path: Inbox.path(ofStore: path)) { line in
          Console.printError("roqua: \(line)")
        }
        var options = HomeServer.Options()
        options.showsPagesToAll = openPages
        let server = HomeServer(
          explorer, inbox: inbox, tokens: tokens, options: options,
          answerer: QuestionProcess(storePath: path).answer)
        ServerProcess(server: server, transport: transport, listen: listen, isJSON: store.json)
          .run()
        withExtendedLifetime(lock) {}
      }
    }
  }

  /// `roqua serve token`
  struct Token: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "token",
      abstract: "Make, list and remove the tokens of phones and readers.",
      discussion: """
        A token is shown once. The file STORE.tokens, which only you can read, has its hash. A \
        running server notices a change within a second.

        Examples:
          roqua serve token add anna-phone
          roqua serve token add my-browser --read
          roqua serve token list
          roqua serve token remove anna-phone
        """,
      subcommands: [Add.self, List.self, Remove.self])
  }
}

extension Serve.Token {
  /// `roqua serve token add`
  struct Add: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "add",
      abstract: "Make a token and show it once.",
      discussion: "Example: roqua serve token add kitchen-tablet --read")

    @OptionGroup var store: StoreArguments

    @Argument(help: "The name of the phone, under which it is recorded, or of the reader.")
    var name: String

    @Flag(help: "Allow reading the map and answers, and not sending.")
    var read = false

    func validate() throws {
      if let reason = AccessToken.reasonToRefuse(name: name) {
        throw ValidationError("The name \(reason).")
      }
    }

    func run() throws {
      try Console.reportingErrors {
        try Serve.Token.change(store) { tokens in
          guard !tokens.contains(where: { $0.name == name }) else {
            throw Console.Failure(
              "there is a token \(name) already; remove it first, or choose another name")
          }
          let (secret, token) = AccessToken.make(named: name, scope: read ? .reader : .phone)
          tokens.append(token)
          if store.json {
            Console.print([
              "name": .string(name), "scope": .string(token.scope.rawValue),
              "token": .string(secret),
            ])
          } else {
            Console.print(secret)
          }
        }
      }
    }
  }

  /// `roqua serve token list`
  struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "list",
      abstract: "List the names of the tokens and what they allow.",
      discussion: "Example: roqua serve token list --json")

    @OptionGroup var store: StoreArguments

    func run() throws {
      try Console.reportingErrors {
        let tokens = try Serve.Token.tokens(store)
        if store.json {
          let list = tokens.map { token -> JSONValue in
            ["name": .string(token.name), "scope": .string(token.scope.rawValue)]
          }
          return Console.print(["tokens": .array(list)])
        }
        var table = Table([.left, .left])
        for token in tokens { table.add([token.name, token.scope.rawValue]) }
        table.lines().forEach(Console.print)
        Console.print(Wording.count(tokens.count, "token"))
      }
    }
  }

  /// `roqua serve token remove`
  struct Remove: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "remove",
      abstract: "Remove a token. What its phone recorded stays.",
      discussion: "Example: roqua serve token remove my-browser")

    @OptionGroup var store: StoreArguments

    @Argument(help: "The name of the token.")
    var name: String

    func run() throws {
      try Console.reportingErrors {
        try Serve.Token.change(store) { tokens in
          guard tokens.contains(where: { $0.name == name }) else {
            throw Console.Failure(
              "there is no token \(name); roqua serve token list shows all", isWrongUsage: true)
          }
          tokens.removeAll { $0.name == name }
          if store.json {
            Console.print(["removed": .string(name)])
          } else {
            Console.print("\(name): removed")
          }
        }
      }
    }
  }

  fileprivate static func tokens(_ store: StoreArguments) throws -> [AccessToken] {
    let path = try store.path
    do {
      return try TokenFile(ofStore: path).read()
    } catch {
      throw Console.Failure("\(error)")
    }
  }

  fileprivate static func change(
    _ store: StoreArguments, _ body: (inout [AccessToken]) throws -> Void
  ) throws {
    let path = try store.path
    do {
      // The token is printed before it is stored, so that none is stored that nobody has seen.
      try TokenFile(ofStore: path).change(body)
    } catch let error as TokenFile.Failure {
      throw Console.Failure("\(error)")
    }
  }
}
