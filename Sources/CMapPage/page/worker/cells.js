// The explored cells: runs of cells by square of 64 × 64 cells and day.

/** The cells of the page, decoded. */
class Cells {
  /** @param columns the arrays that `read` made, perhaps in another worker. */
  constructor(columns) {
    Object.assign(this, columns);
  }

  /** Reads what `PageCells` writes (docs/formats/map-page.md). */
  static read(bytes) {
    const reader = new ByteReader(bytes);
    const version = reader.varint();
    if (version !== 1) throw new Error(`cells of version ${version}`);
    const cells = new Cells({});
    cells.millimeters = reader.varint();
    cells.step = cells.millimeters / 222000000;
    cells.columns = Math.ceil(Math.ceil(79920000000 / cells.millimeters) / 64);
    cells.squareCount = reader.varint();
    const groupCount = reader.varint();
    const runCount = reader.varint();
    cells.keys = new Float64Array(cells.squareCount);
    cells.firstGroup = new Uint32Array(cells.squareCount + 1);
    cells.groupDay = new Uint32Array(groupCount);
    cells.groupSquare = new Uint32Array(groupCount);
    cells.firstRun = new Uint32Array(groupCount + 1);
    cells.runRow = new Uint8Array(runCount);
    cells.runFrom = new Uint8Array(runCount);
    cells.runTo = new Uint8Array(runCount);
    let [key, group, run] = [0, 0, 0];
    for (let square = 0; square < cells.squareCount; square++) {
      key += reader.varint();
      cells.keys[square] = key;
      cells.firstGroup[square] = group;
      let day = 0;
      for (let left = reader.varint(); left > 0; left--) {
        day += reader.varint();
        cells.groupDay[group] = day;
        cells.groupSquare[group] = square;
        cells.firstRun[group++] = run;
        run = cells.readRuns(reader, run);
      }
    }
    cells.firstGroup[cells.squareCount] = group;
    cells.firstRun[group] = run;
    cells.findDays();
    return cells;
  }

  /** Reads one tile's form: the rows that differ from the one below, or all 64 rows. */
  readRuns(reader, run) {
    if (reader.byte() === 2) {
      for (let row = 0; row < 64; row++) run = this.addWord(reader.word(), row, run);
      return run;
    }
    const { bytes } = reader;
    const { runRow, runFrom, runTo } = this;
    const mask = reader.word();
    // The bytes of the positions in the current row, from `first` to `last`.
    let [at, first, last] = [reader.offset, 0, 0];
    for (let row = 0; row < 64; row++) {
      if ((mask[row >> 5] >>> (row & 31)) & 1) {
        if (bytes[at] === 0xc0) {
          first = last = at++;
        } else {
          first = at;
          while (bytes[at++] < 128);
          last = at;
        }
      }
      for (let i = first; i < last; i += 2) {
        runRow[run] = row;
        runFrom[run] = bytes[i] & 63;
        runTo[run++] = i + 1 < last ? bytes[i + 1] & 63 : 64;
      }
    }
    reader.offset = at;
    return run;
  }

  addWord(word, row, run) {
    let start = -1;
    for (let bit = 0; bit <= 64; bit++) {
      const isSet = bit < 64 && (word[bit >> 5] >>> (bit & 31)) & 1;
      if (isSet && start < 0) start = bit;
      if (!isSet && start >= 0) {
        this.runRow[run] = row;
        this.runFrom[run] = start;
        this.runTo[run++] = bit;
        start = -1;
      }
    }
    return run;
  }

  /** Adds up the area of each day: days ascending, and the square kilometers explored on each. */
  findDays() {
    const areas = new Map();
    const radians = Math.PI / 180;
    const sphere = 6371.0071809; // authalic radius of WGS 84 in km
    for (let square = 0; square < this.squareCount; square++) {
      const firstRow = Math.floor(this.keys[square] / this.columns) * 64;
      // Rows of one square differ by less than 0.1 % but near the poles; each is computed there.
      const heights = [];
      for (let row = 0; row < 64; row++) {
        const south = Math.min((firstRow + row) * this.step, 180) - 90;
        const north = Math.min((firstRow + row + 1) * this.step, 180) - 90;
        const band = Math.sin(north * radians) - Math.sin(south * radians);
        heights.push(band * this.step * radians * sphere * sphere);
      }
      for (let g = this.firstGroup[square]; g < this.firstGroup[square + 1]; g++) {
        let area = 0;
        for (let run = this.firstRun[g]; run < this.firstRun[g + 1]; run++) {
          area += heights[this.runRow[run]] * (this.runTo[run] - this.runFrom[run]);
        }
        areas.set(this.groupDay[g], (areas.get(this.groupDay[g]) || 0) + area);
      }
    }
    this.days = [...areas.keys()].sort((one, other) => one - other);
    this.areas = this.days.map((day) => areas.get(day));
  }

  /** The index of the first square whose key is at least `key`. */
  firstSquare(key) {
    let [low, high] = [0, this.squareCount];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.keys[middle] < key) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Calls `body` with the squares that have cells in a range of longitudes and latitudes. */
  forEachSquare(west, east, south, north, body) {
    const size = 64 * this.step;
    const firstColumn = Math.max(0, Math.floor((west + 180) / size));
    const lastColumn = Math.min(this.columns - 1, Math.floor((east + 180) / size));
    const lastRow = Math.floor((north + 90) / size);
    for (let row = Math.max(0, Math.floor((south + 90) / size)); row <= lastRow; row++) {
      const last = row * this.columns + lastColumn;
      let square = this.firstSquare(row * this.columns + firstColumn);
      for (; square < this.squareCount && this.keys[square] <= last; square++) {
        body(square, row, this.keys[square] - row * this.columns);
      }
    }
  }

  /** The day on which the cell at a position was explored; null if it was not. */
  dayAt(longitude, latitude) {
    const column = Math.floor((longitude + 180) / this.step);
    const row = Math.floor((latitude + 90) / this.step);
    const key = (row >> 6) * this.columns + (column >> 6);
    const square = this.firstSquare(key);
    if (this.keys[square] !== key) return null;
    for (let g = this.firstGroup[square]; g < this.firstGroup[square + 1]; g++) {
      for (let run = this.firstRun[g]; run < this.firstRun[g + 1]; run++) {
        const inRow = this.runRow[run] === (row & 63);
        const place = column & 63;
        if (inRow && place >= this.runFrom[run] && place < this.runTo[run]) return this.groupDay[g];
      }
    }
    return null;
  }
}
