import ArgumentParser
import GeoStore
import PostgresPush
import Roqua

/// Which database for many people, and as whom.
struct DatabaseArguments: ParsableArguments {
  @OptionGroup var store: StoreArguments

  @Option(
    help: ArgumentHelp(
      "Name the person there; by the name of the selected profile, else of the user who connects, "
        + "if not given.", valueName: "name"))
  var person: String?

  /// The name as given, else that of the selected profile; nil for neither.
  var name: String? {
    get throws { try person.map(NegativeNumbers.original) ?? store.profile?.name }
  }

  /// Checks that an address is one of a PostgreSQL database, or libpq's `host=… dbname=…`.
  ///
  /// - Throws: `ValidationError`, which quotes nothing: the address may contain a password.
  static func check(_ address: String) throws {
    let isURL = address.hasPrefix("postgres://") || address.hasPrefix("postgresql://")
    guard isURL || address.contains("=") && !address.contains("://") else {
      throw ValidationError(
        "The address must begin with postgres://, as in postgres://USER@HOST/NAME.")
    }
  }

  /// Runs `body` with the address of the database, and once more with a password if the server
  /// wants one and somebody can be asked.
  func connecting<T>(to text: String, _ body: (PostgresAddress) throws -> T) throws -> T {
    var address = try PostgresAddress(NegativeNumbers.original(text))
    do {
      return try body(address)
    } catch PostgresError.passwordNeeded {
      guard let password = try PassphraseInput.password("Password of the database: ") else {
        throw PostgresError.passwordNeeded
      }
      address.password = password
      return try body(address)
    }
  }
}
