// The rooms that the face's own declarations mention: `import Roqua` is enough.
@_exported import GeoStore
@_exported import Geocode
@_exported import Geodesy
@_exported import GridHash
@_exported import SQLiteLayer
@_exported import TrackIngest
