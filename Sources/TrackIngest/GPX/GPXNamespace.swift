/// The namespaces of GPX.
enum GPXNamespace {
  /// Whether the URI is that of a GPX version, present or future: `http://www.topografix.com/GPX/1/1` and its like.
  /// GPX's own extensions (`…/GPX/gpx_style/0/2`) have a letter where the version stands.
  static func isTopografix(_ uri: UnsafeBufferPointer<UInt8>) -> Bool {
    for stem in ["http://www.topografix.com/GPX/", "https://www.topografix.com/GPX/"]
    where uri.starts(with: stem.utf8) {
      guard uri.count > stem.utf8.count else { return true }
      return (0x30...0x39).contains(uri[stem.utf8.count])
    }
    return false
  }
}
