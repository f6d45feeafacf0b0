import ArgumentParser
import Geodesy

/// A position on the command line, in one argument or in several: `48.8 2.3`, `48.8,2.3`,
/// `48.8N 2.3E`, `48°51'30"N 2°17'40"E`, `geo:48.8,2.3`.
struct Position: ParsableArguments {
  /// What the help of an argument or option says of the forms.
  static let help = ArgumentHelp(
    "Latitude and longitude: 48.8 2.3, 48.8N 2.3E, 48°51'30\"N 2°17'40\"E, geo:48.8,2.3.",
    valueName: "lat lon")

  @Argument(help: Self.help)
  var position: [String]

  func validate() throws { _ = try coordinate() }

  /// - Throws: `ValidationError`; never after ``validate()``.
  func coordinate() throws -> Coordinate { try Self.coordinate(position) }

  /// The position that some arguments name together.
  ///
  /// - Throws: `ValidationError` with what was read.
  static func coordinate(_ arguments: [String], option: String? = nil) throws -> Coordinate {
    if arguments.contains(where: Length.isUnit) {
      throw ValidationError("Write a distance as one word, such as 2km.")
    }
    let text = arguments.map(NegativeNumbers.original).joined(separator: " ")
    do throws(CoordinateTextError) {
      return try Coordinate(text: text)
    } catch {
      throw ValidationError((option.map { "\($0): " } ?? "") + "\(error)")
    }
  }
}
