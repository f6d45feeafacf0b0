/// The visited regions of a map page, in columns. `docs/formats/map-page.md` describes the bytes.
package struct PageRegions: Sendable {
  /// A visited region.
  package struct Region: Hashable, Sendable {
    /// The center's latitude in units of 1e-5 degree.
    package let latitudeE5: Int
    /// The center's longitude in units of 1e-5 degree.
    package let longitudeE5: Int
    /// The number of visits.
    package let visits: Int
    /// The first moment, in minutes since 1970; nil if unknown.
    package let firstMinute: Int?
    /// The last moment, in minutes since 1970; nil if unknown.
    package let lastMinute: Int?
    /// The place's position in the page's list of places.
    package let place: Int

    /// Creates a region.
    package init(
      latitudeE5: Int, longitudeE5: Int, visits: Int, firstMinute: Int?, lastMinute: Int?,
      place: Int
    ) {
      (self.latitudeE5, self.longitudeE5) = (latitudeE5, longitudeE5)
      (self.visits, self.place) = (visits, place)
      (self.firstMinute, self.lastMinute) = (firstMinute, lastMinute)
    }
  }

  /// The minutes from 0001-01-01 to 1970-01-01, so that 0 can mean no time.
  static let zeroMinute = 1_035_593_280

  /// The regions.
  package var regions: [Region] = []

  /// Creates a list.
  package init(_ regions: [Region] = []) { self.regions = regions }

  /// The bytes, not yet deflated.
  package var bytes: [UInt8] {
    var writer = VarintWriter()
    writer.append(regions.count)
    for column in [\Region.latitudeE5, \Region.longitudeE5] {
      var last = 0
      for region in regions {
        writer.append(signed: region[keyPath: column] - last)
        last = region[keyPath: column]
      }
    }
    for region in regions { writer.append(region.visits) }
    for region in regions {
      writer.append(max(0, (region.firstMinute ?? -Self.zeroMinute) + Self.zeroMinute))
    }
    for region in regions {
      writer.append(max(0, (region.lastMinute ?? 0) - (region.firstMinute ?? 0)))
    }
    for region in regions { writer.append(region.place) }
    return writer.bytes
  }
}
