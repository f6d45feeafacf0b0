// Searches by distance in in-memory indexes: Boost's R-tree and nanoflann's k-d tree.
//
//   memory-indexes REGIONS QUESTIONS
//
// REGIONS has 24 bytes per region: its id (64 bits), and its latitude and longitude in degrees
// (doubles). QUESTIONS has a line per search: meters, latitude, longitude. Prints one JSON object
// per index on a line: the seconds that building it took, its size in bytes, and for each query the
// seconds of one search, the hits, and the sum of their ids modulo 2^53. Times are processor time.
//
// Both indexes contain points of the WGS 84 ellipsoid in space. Their searches compare straight
// lines through the Earth, which needs no map projection and has no special case at a pole or at
// 180°. Each hit's line is converted to the distance on the surface. The points are computed before
// the clock of building starts.

#include <malloc.h>
#include <time.h>

#include <algorithm>
#include <boost/geometry.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <boost/iterator/function_output_iterator.hpp>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <nanoflann.hpp>
#include <utility>
#include <vector>

namespace geometry = boost::geometry;

namespace {

struct Region {
  int64_t id;
  double latitude, longitude;
};

struct Question {
  double meters, latitude, longitude;
};

struct Point {
  double x, y, z;
};

// Receives the ids and distances that a search finds, unordered, and counts them, hit by hit, as
// the indexes return them. The closure of `roqua bench` adds up a batch of hits at a time.
struct Tally {
  double limit;
  size_t hits = 0;
  uint64_t sum = 0;
  size_t wrong = 0;

  void add(int64_t id, double meters) {
    hits += meters >= 0 ? 1 : 0;
    wrong += meters <= limit ? 0 : 1;
    sum += uint64_t(id);
  }
};

[[noreturn]] void fail(const char *what) {
  fprintf(stderr, "memory-indexes: %s\n", what);
  exit(1);
}

// A position on the ellipsoid, in meters from the center of the Earth.
Point point(double latitude, double longitude) {
  const double axis = 6378137, flattening = 1 / 298.257223563;
  const double eccentricity = flattening * (2 - flattening);  // squared
  const double phi = latitude * M_PI / 180, lambda = longitude * M_PI / 180;
  const double sine = std::sin(phi);
  const double normal = axis / std::sqrt(1 - eccentricity * sine * sine);
  const double across = normal * std::cos(phi);
  return {across * std::cos(lambda), across * std::sin(lambda), normal * (1 - eccentricity) * sine};
}

// A distance s on the surface is s³ / 24 R² longer than the straight line: 1 mm at 10 km. R is the
// radius of curvature there. The mean radius is at most 0.7 % off, so less than 0.02 mm remains.
constexpr double bend = 1 / (24 * 6371007.2 * 6371007.2);

double line(double meters) { return meters * (1 - meters * meters * bend); }

double surface(double squared_line) {
  return std::sqrt(squared_line) * (1 + squared_line * bend);
}

double squared_line(const Point &a, const Point &b) {
  const double x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
  return x * x + y * y + z * z;
}

// An R-tree packed from all values at once. They hold the id, so a hit reads nothing else.
class BoostTree {
 public:
  using Corner = geometry::model::point<double, 3, geometry::cs::cartesian>;
  using Value = std::pair<Corner, int64_t>;
  using Input = std::vector<Value>;

  static constexpr const char *kind = "Boost's R-tree";

  static Input prepare(const std::vector<Region> &regions) {
    Input input;
    input.reserve(regions.size());
    for (const Region &region : regions) {
      const Point at = point(region.latitude, region.longitude);
      input.emplace_back(Corner(at.x, at.y, at.z), region.id);
    }
    return input;
  }

  explicit BoostTree(Input input) : tree_(input) {}

  void search(const Question &question, Tally &tally) const {
    const Point center = point(question.latitude, question.longitude);
    const double reach = line(question.meters), limit = reach * reach;
    const geometry::model::box<Corner> box(
        Corner(center.x - reach, center.y - reach, center.z - reach),
        Corner(center.x + reach, center.y + reach, center.z + reach));
    const auto take = [&](const Value &value) {
      const Corner &at = value.first;
      const double squared = squared_line(center, {at.get<0>(), at.get<1>(), at.get<2>()});
      if (squared <= limit) tally.add(value.second, surface(squared));
    };
    tree_.query(geometry::index::intersects(box), boost::make_function_output_iterator(take));
  }

 private:
  // Nodes of 32 were faster than those of 16 or 8; 64 was no faster.
  geometry::index::rtree<Value, geometry::index::rstar<32>> tree_;
};

// A k-d tree of point indices.
class NanoflannTree {
 public:
  struct Input {
    std::vector<Point> points;
    std::vector<int64_t> ids;

    size_t kdtree_get_point_count() const { return points.size(); }
    double kdtree_get_pt(size_t index, size_t dimension) const {
      const Point &point = points[index];
      return dimension == 0 ? point.x : dimension == 1 ? point.y : point.z;
    }
    template <class Box>
    bool kdtree_get_bbox(Box &) const {
      return false;  // nanoflann computes it
    }
  };

  static constexpr const char *kind = "nanoflann's k-d tree";

  static Input prepare(const std::vector<Region> &regions) {
    Input input;
    input.points.reserve(regions.size());
    input.ids.reserve(regions.size());
    for (const Region &region : regions) {
      input.points.push_back(point(region.latitude, region.longitude));
      input.ids.push_back(region.id);
    }
    return input;
  }

  // Leaves of 32 points were faster than those of 10, the default.
  explicit NanoflannTree(Input input)
      : input_(std::move(input)), tree_(3, input_, nanoflann::KDTreeSingleIndexAdaptorParams(32)) {}

  void search(const Question &question, Tally &tally) const {
    const Point center = point(question.latitude, question.longitude);
    const double at[3] = {center.x, center.y, center.z};
    const double reach = line(question.meters);
    Taker taker{std::nextafter(reach * reach, INFINITY), input_.ids, tally};
    tree_.radiusSearchCustomCallback(at, taker, nanoflann::SearchParams(0, 0, false));
  }

 private:
  // A nanoflann result set that accepts all points nearer than a squared distance.
  struct Taker {
    double limit;
    const std::vector<int64_t> &ids;
    Tally &tally;

    double worstDist() const { return limit; }
    bool full() const { return true; }
    size_t size() const { return tally.hits; }
    bool addPoint(double squared, uint32_t index) {
      tally.add(ids[index], surface(squared));
      return true;
    }
  };

  Input input_;
  nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, Input>, Input, 3,
                                      uint32_t>
      tree_;
};

double processor_seconds() {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return double(time.tv_sec) + double(time.tv_nsec) / 1e9;
}

size_t allocated_bytes() {
  const struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

template <class Index>
void measure(const std::vector<Region> &regions, const std::vector<Question> &questions) {
  const size_t before = allocated_bytes();
  typename Index::Input input = Index::prepare(regions);
  const double start = processor_seconds();
  const Index index(std::move(input));
  const double build = processor_seconds() - start;
  printf("{\"kind\":\"%s\",\"buildSeconds\":%.9f,\"memoryBytes\":%zu,\"searches\":[", Index::kind,
         build, allocated_bytes() - before);
  for (size_t number = 0; number < questions.size(); number++) {
    const Question &question = questions[number];
    Tally tally{question.meters + 1e-4};
    const auto search = [&](int repeats) {
      const double start = processor_seconds();
      for (int repeat = 0; repeat < repeats; repeat++) {
        tally = Tally{question.meters + 1e-4};
        index.search(question, tally);
      }
      return (processor_seconds() - start) / repeats;
    };
    search(1);  // fills the caches
    // At least 20 µs, so that the clock can measure it.
    const double spent = search(int(std::clamp(20e-6 / std::max(search(1), 1e-9), 1.0, 1000.0)));
    if (tally.wrong) fail("a distance is more than the radius");
    printf("%s[%.9f,%zu,%llu]", number ? "," : "", spent, tally.hits,
           (unsigned long long)(tally.sum & ((uint64_t(1) << 53) - 1)));
  }
  printf("]}\n");
}

}  // namespace

int main(int count, char **arguments) {
  if (count != 3) fail("give the files of regions and of questions");
  FILE *file = fopen(arguments[1], "rb");
  if (!file) fail("the file of regions cannot be opened");
  std::vector<Region> regions;
  for (Region region; fread(&region, sizeof region, 1, file) == 1;) regions.push_back(region);
  fclose(file);
  regions.shrink_to_fit();
  file = fopen(arguments[2], "r");
  if (!file) fail("the file of questions cannot be opened");
  std::vector<Question> questions;
  for (Question q; fscanf(file, "%lf %lf %lf", &q.meters, &q.latitude, &q.longitude) == 3;) {
    questions.push_back(q);
  }
  fclose(file);
  measure<BoostTree>(regions, questions);
  measure<NanoflannTree>(regions, questions);
}
