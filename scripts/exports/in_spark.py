#!/usr/bin/env python3
"""Runs statements in Spark: in_spark.py WAREHOUSE < BLOCKS > ANSWERS

BLOCKS is a JSON list of lists of statements, and ANSWERS has the rows of the last statement of each
list; bytes are in hexadecimal. Paths are relative to the current folder.
"""

import json
import logging
import os
import sys


def plain(value):
    return bytes(value).hex() if isinstance(value, (bytes, bytearray)) else value


def main(warehouse):
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    from pyspark.sql import SparkSession

    options = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.log.level": "ERROR",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.memory": "1g",
        "spark.local.dir": warehouse,
        "spark.sql.warehouse.dir": warehouse,
        "spark.sql.shuffle.partitions": "2",
    }
    builder = SparkSession.builder.master("local[2]")
    for name, value in options.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    logging.disable()
    answers = []
    for statements in json.load(sys.stdin):
        for statement in statements:
            found = spark.sql(statement).collect()
        answers.append([[plain(value) for value in row] for row in found])
    spark.stop()
    json.dump(answers, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
