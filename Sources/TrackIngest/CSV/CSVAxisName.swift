/// The name of a column that has the word for one axis: a coordinate or its hemisphere.
struct CSVAxisName {
  private let isLatitude: Bool
  private let name: Substring
  private let words: [Substring]

  /// A name in lower case without what follows a bracket, and its words of letters. Nil for a name
  /// without an axis, for one of both (`lat/lon`), and for the end of a sentence.
  init?(_ name: Substring, _ words: [Substring]) {
    guard let last = name.last, !".:!?".contains(last), !name.contains("=") else { return nil }
    let isLatitude = words.contains { Self.isLatitude($0.trimmingHemisphere) }
    let isLongitude = words.contains { Self.isLongitude($0.trimmingHemisphere) }
    if isLatitude == isLongitude { return nil }
    (self.isLatitude, self.name, self.words) = (isLatitude, name, words)
  }

  /// The meaning; nil if the name only seems to have an axis.
  var column: CSVColumn? {
    if isHemisphere { return isLatitude ? .northSouth : .eastWest }
    guard words.contains(where: isLatitude ? Self.isLatitude : Self.isLongitude) else { return nil }
    let isE7 = name.trimmingSpaces.hasSuffix("e7")
    return isLatitude
      ? .latitude(isE7: isE7, isPlain: isPlain) : .longitude(isE7: isE7, isPlain: isPlain)
  }

  /// Whether a name in lower case is that of an accuracy or a deviation: `lat_std`,
  /// `latitude (error)`.
  static func hasDeviation(_ whole: String) -> Bool {
    if deviations.contains(where: whole.hasPart) { return true }
    return whole.split { !$0.isLetter }.contains { word in
      deviationWords.contains(word) || word.hasSuffix("std") || word.hasSuffix("stdev")
    }
  }

  /// Whether the name ends in a word for the letter of a hemisphere: `lat_dir`, `latitudeRef`.
  private var isHemisphere: Bool {
    words.last.map { $0.trimmingHemisphere.count < $0.count } ?? false
  }

  /// Whether the name says only that it is this axis: every word is the axis, a unit, or a word for
  /// a position. Others state which of several (`home_lat`, `raw_lat`, `lat2`).
  private var isPlain: Bool {
    name.split { !$0.isLetter && !$0.isNumber }.allSatisfy { word in
      var word = word
      for unit in ["e7", "degrees", "deg"] where word.hasSuffix(unit) {
        word = word.dropLast(unit.count)
        break
      }
      return word.isEmpty || Self.plainWords.contains(word)
        || (isLatitude ? Self.latitudes : Self.longitudes).contains(word)
    }
  }

  private static func isLatitude(_ word: Substring) -> Bool {
    latitudes.contains(word) || word.hasPrefix("latitud")
  }

  private static func isLongitude(_ word: Substring) -> Bool {
    longitudes.contains(word) || word.hasPrefix("longitud")
  }

  private static let latitudes: Set<Substring> = [
    "lat", "latitude", "latitud", "latitudine", "breite", "breitengrad", "широта", "纬度", "緯度",
    "lintang", "szerokość",
  ]
  private static let longitudes: Set<Substring> = [
    "lon", "lng", "long", "longitude", "longitud", "longitudine", "länge", "längengrad",
    "laengengrad", "долгота", "经度", "經度", "経度", "bujur", "długość",
  ]
  private static let plainWords: Set<Substring> = [
    "location", "loc", "position", "pos", "point", "coord", "coords", "coordinate", "coordinates",
    "geo", "gps", "gnss", "wgs84", "wgs", "84", "decimal", "degree", "dd", "n", "s", "e", "w",
  ]
  /// Parts of the names of accuracies and deviations.
  private static let deviations = [
    "accuracy", "genauigkeit", "précision", "precisión", "error", "stddev", "sigma", "deviation",
    "uncertainty", "variance",
  ]
  private static let deviationWords: Set<Substring> = ["std", "stdev", "sd", "err", "rmse"]
}

extension Substring {
  /// The word without one for the letter of a hemisphere at its end: empty for `dir`, `lat` for
  /// `latdir`.
  fileprivate var trimmingHemisphere: Substring {
    for ending in ["direction", "dir", "hemisphere", "hemi", "ref"] where hasSuffix(ending) {
      return dropLast(ending.count)
    }
    return self
  }
}
