/// A decoder of any format whose fixes go through the filter.
///
/// A ``TrackDecoder`` is generic over its sink. Called through `any`, such a method is not
/// specialized, and each fix costs several calls through tables. Here the sink is fixed, so the
/// compiler specializes each decoder for it, and only one call per piece of bytes goes through a
/// table. A decoder conforms with an empty extension: its generic methods meet both requirements.
protocol FilteredDecoder {
  /// Decodes the next bytes of the file. They are only used during the call.
  mutating func decode(_ bytes: UnsafeRawBufferPointer, into sink: inout AcceptingSink)
  /// Ends the file.
  ///
  /// - Returns: nil if the file is of the format; otherwise the reason to refuse it.
  mutating func finish(into sink: inout AcceptingSink) -> IngestError?
}

extension GPXDecoder: FilteredDecoder {}
extension TCXDecoder: FilteredDecoder {}
extension KMLDecoder: FilteredDecoder {}
extension FITDecoder: FilteredDecoder {}
extension IGCDecoder: FilteredDecoder {}
extension CSVDecoder: FilteredDecoder {}
extension GoogleTimelineDecoder: FilteredDecoder {}
extension OwnTracksDecoder: FilteredDecoder {}
extension GeoJSONTrackDecoder: FilteredDecoder {}
extension PolarstepsDecoder: FilteredDecoder {}
extension GPSDLogDecoder: FilteredDecoder {}
extension FogOfWorldDecoder: FilteredDecoder {}
