// Compiles if every library is a product and builds without traits.
import Achievements
import GeoStore
import Geocode
import Geodesy
import GridHash
import PostgresPush
import Profiles
import Roqua
import RoquaTesting
import Session
import StoreLock
import StoreSync
import TrackIngest
