// The room's first file follows.
