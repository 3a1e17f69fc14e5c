"""What `python -m benchmarks` measures, a module a part; `benchmarks/catalogue.py` lists the rows."""
