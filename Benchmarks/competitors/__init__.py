"""The competitors of Roqua, one module per part; `Benchmarks/run` calls them."""
