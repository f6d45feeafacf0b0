import ArgumentParser
import Roqua
import TrackIngest

extension TableColumns: ExpressibleByArgument {
  /// The columns of a list such as `latitude=3,longitude=4,time=when`: each meaning once, with a
  /// name or a number from 1 to 512, and each column once. Nil for anything else.
  public init?(argument: String) {
    self.init()
    for item in argument.split(separator: ",", omittingEmptySubsequences: false) {
      let parts = item.split(separator: "=", maxSplits: 1)
      guard parts.count == 2, let field = Self.field(String(parts[0])),
        let column = Self.column(String(parts[1])), self[keyPath: field] == nil
      else { return nil }
      self[keyPath: field] = column
    }
    let stated = [latitude, longitude, time, accuracy].compactMap { $0 }
    guard Set(stated).count == stated.count else { return nil }
  }

  private static func field(_ name: String) -> WritableKeyPath<TableColumns, Column?>? {
    switch name {
    case "latitude": \.latitude
    case "longitude": \.longitude
    case "time": \.time
    case "accuracy": \.accuracy
    default: nil
    }
  }

  fileprivate static func column(_ text: String) -> Column? {
    guard text.allSatisfy(\.isASCIIDigit) else { return .name(text) }
    return Int(text).flatMap { (1...512).contains($0) ? .number($0) : nil }
  }
}

extension TableColumns.Column: ExpressibleByArgument {
  /// The column of a name, or of a number from 1 to 512; nil for another number.
  public init?(argument: String) {
    guard !argument.isEmpty, let column = TableColumns.column(argument) else { return nil }
    self = column
  }
}

extension Character {
  fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
