import Synchronization

/// A ``NameTable`` that is made when names are asked for the 65th time. Before, they are decoded
/// one by one: a process that asks for a single place would decode 5,000 names for it.
final class LazyNameTable: Sendable {
  /// The number of answers that are decoded one by one. The table has 5,000 names, and an answer at
  /// most eight of them, so making it takes as long as at least 600 answers.
  static let requestsWithoutTable = 64

  private let owner = AtomicLazyReference<NameTable>()
  /// The address of the table of `owner`, once it is complete; before, 0.
  private let address = Atomic<UInt>(0)
  private let requests = Atomic<Int>(0)

  /// The names of these codes; nothing for those that are not in the data.
  ///
  /// - Complexity: O(1), but O(names) once, and O(log countries + log cities) before.
  @inline(__always)
  func place(of codes: PlaceCodes, _ position: PlacePosition, _ gazetteer: Gazetteer) -> Place {
    guard let table else { return firstPlace(of: codes, position, gazetteer) }
    // An optional place would be copied.
    return table._withUnsafeGuaranteedRef { $0.place(of: codes, position, gazetteer.places) }
  }

  @inline(never)
  private func firstPlace(
    of codes: PlaceCodes, _ position: PlacePosition, _ gazetteer: Gazetteer
  ) -> Place {
    make(gazetteer)?.place(of: codes, position, gazetteer.places)
      ?? Self.decode(codes, position, gazetteer)
  }

  /// The name of the zone of a label of the boundaries; nil for 0 and beyond the last.
  ///
  /// - Complexity: O(1), but O(names) once.
  @inline(__always)
  func zone(_ label: UInt16, _ gazetteer: Gazetteer) -> String? {
    if let table { return table._withUnsafeGuaranteedRef { $0.zone(label) } }
    guard let table = make(gazetteer) else { return Self.zone(label, gazetteer) }
    return table.zone(label)
  }

  @inline(never)
  private static func zone(_ label: UInt16, _ gazetteer: Gazetteer) -> String? {
    label > 0 && Int(label) <= gazetteer.zoneCount ? gazetteer.zoneName(label) : nil
  }

  @inline(never)
  private static func decode(
    _ codes: PlaceCodes, _ position: PlacePosition, _ gazetteer: Gazetteer
  ) -> Place {
    let places = gazetteer.places
    let country = codes.country.map { country in
      places.countryRow(country.rawValue).map {
        NameTable.Country(country, inRow: $0, of: gazetteer)
      } ?? NameTable.Country(alpha2: country.code)
    }
    let region = codes.region.flatMap {
      Int($0.rawValue) < places.admin1Count
        ? NameTable.Region(inRow: $0.rawValue, of: gazetteer) : nil
    }
    return Place(
      countryCode: country?.alpha2, countryCodeAlpha3: country?.alpha3, country: country?.name,
      continent: country?.continent, regionCode: region?.code, region: region?.name,
      regionLocalName: region?.localName, district: places.name(of: codes.district),
      city: places.index(codes.city).map(places.name(of:)),
      localName: codes.city.flatMap(gazetteer.localName(ofCity:)),
      cityDistanceMeters: position.cityDistanceMeters,
      quarter: places.index(codes.quarter).map(places.name(of:)),
      timeZone: zone(codes.zone, gazetteer) ?? position.nauticalZone?.identifier,
      sea: position.sea)
  }

  /// The table, once there is one, without counting a reference to it, which would take longer than
  /// the lookup.
  ///
  /// Sound: the address is that of the object that `owner` keeps alive as long as this object, and
  /// it is published after the object is complete; callers use it only while this object lives.
  private var table: Unmanaged<NameTable>? {
    @inline(__always) get {
      UnsafeRawPointer(bitPattern: address.load(ordering: .acquiring)).map(Unmanaged.fromOpaque)
    }
  }

  /// Counts a request, and makes the table if there were enough.
  ///
  /// Sound: `owner` keeps the object alive whose address is published.
  @inline(never)
  private func make(_ gazetteer: Gazetteer) -> NameTable? {
    let before = requests.wrappingAdd(1, ordering: .relaxed).oldValue
    guard before >= Self.requestsWithoutTable else { return nil }
    let made = owner.storeIfNil(NameTable(gazetteer))
    let pointer = Unmanaged.passUnretained(made).toOpaque()
    address.store(UInt(bitPattern: pointer), ordering: .releasing)
    return made
  }
}
