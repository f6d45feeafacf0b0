"""What Roqua is compared with, a module a part; `Benchmarks/run` calls them."""
