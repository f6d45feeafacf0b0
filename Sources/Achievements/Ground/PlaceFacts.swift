/// The places of a fix, as numbers: what achievements need to know about it.
///
/// Numbers other than those of countries are valid for one edition of the geodata.
package struct PlaceFacts: Hashable, Sendable {
  /// The country (``CountryNumber``); 0 for none.
  package var country: UInt16 = 0
  /// The continent (``Continent/number``); 0 for none.
  package var continent: UInt8 = 0
  /// The island or group of islands, from 1; 0 for none.
  package var island: UInt16 = 0
  /// The first-level region, from 1; 0 for none.
  package var region: UInt32 = 0
  /// The second-level division, from 1; 0 for none.
  package var district: UInt32 = 0
  /// The city, from 1; 0 for none.
  package var city: UInt32 = 0

  /// No place, as in the open sea.
  package init() {}
}
