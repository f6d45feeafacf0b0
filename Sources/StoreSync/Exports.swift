// `import StoreSync` also imports the store, and the errors, in its API.
@_exported import GeoStore
