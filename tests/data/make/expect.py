#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Print the Arrow schema of a file as one line of integration JSON, as ../expected holds it.

    expect.py [--as KIND] FILE

A decoder of its own: it shares no code and no table with the library, and judges nothing. It is
meant for files whose verdict at level arrow is ok; on others it may print a line or fail.
Without --as the kind follows from the file's ending.
"""

import argparse
import base64
import json
import struct
import sys

KINDS = {
    "schema": "schema", "message": "message", "footer": "footer", "encap": "encapsulated",
    "stream": "stream", "arrow": "file", "parquet": "parquet", "base64": "base64",
}
CONTINUATION = 0xFFFFFFFF
HEADER_IS_SCHEMA = 1

TIME_UNITS = ("SECOND", "MILLISECOND", "MICROSECOND", "NANOSECOND")

# Type id: its name, then a (member, slot, format, default, words) for each parameter.
TYPES = {
    1: ("null",),
    2: ("int", ("bitWidth", 0, "i", 0, None), ("isSigned", 1, "?", False, None)),
    3: ("floatingpoint", ("precision", 0, "h", 0, ("HALF", "SINGLE", "DOUBLE"))),
    4: ("binary",),
    5: ("utf8",),
    6: ("bool",),
    7: ("decimal", ("precision", 0, "i", 0, None), ("scale", 1, "i", 0, None),
        ("bitWidth", 2, "i", 128, None)),
    8: ("date", ("unit", 0, "h", 1, ("DAY", "MILLISECOND"))),
    9: ("time", ("unit", 0, "h", 1, TIME_UNITS), ("bitWidth", 1, "i", 32, None)),
    10: ("timestamp", ("unit", 0, "h", 0, TIME_UNITS)),
    11: ("interval", ("unit", 0, "h", 0, ("YEAR_MONTH", "DAY_TIME", "MONTH_DAY_NANO"))),
    12: ("list",),
    13: ("struct",),
    14: ("union", ("mode", 0, "h", 0, ("SPARSE", "DENSE"))),
    15: ("fixedsizebinary", ("byteWidth", 0, "i", 0, None)),
    16: ("fixedsizelist", ("listSize", 0, "i", 0, None)),
    17: ("map", ("keysSorted", 0, "?", False, None)),
    18: ("duration", ("unit", 0, "h", 1, TIME_UNITS)),
    19: ("largebinary",),
    20: ("largeutf8",),
    21: ("largelist",),
    22: ("runendencoded",),
    23: ("binaryview",),
    24: ("utf8view",),
    25: ("listview",),
    26: ("largelistview",),
}
TIMESTAMP, UNION = 10, 14


class Damaged(Exception):
    """The bytes do not say what the kind promises."""


def load(data, form, at):
    """One little-endian scalar. A negative position would count from the end in Python."""
    if at < 0:
        raise Damaged(f"position {at}")
    return struct.unpack_from("<" + form, data, at)[0]


class Table:
    """A FlatBuffers table at a position, seen through its vtable."""

    def __init__(self, data, position):
        self.data = data
        self.position = position
        self.vtable = position - load(data, "i", position)

    def slot(self, number):
        """Where the field of that slot stands; None when it is absent."""
        entry = 4 + 2 * number
        if entry >= load(self.data, "H", self.vtable):
            return None
        offset = load(self.data, "H", self.vtable + entry)
        return self.position + offset if offset else None

    def scalar(self, number, form, default):
        at = self.slot(number)
        return default if at is None else load(self.data, form, at)

    def target(self, number):
        at = self.slot(number)
        return None if at is None else at + load(self.data, "I", at)

    def table(self, number):
        at = self.target(number)
        return None if at is None else Table(self.data, at)

    def string(self, number):
        at = self.target(number)
        if at is None:
            return ""
        size = load(self.data, "I", at)
        text = self.data[at + 4:at + 4 + size]
        if len(text) != size:
            raise Damaged("string past the end")
        return text.decode("utf-8")

    def elements(self, number):
        """Positions of a vector's four-byte elements."""
        at = self.target(number)
        if at is None:
            return []
        return [at + 4 + 4 * i for i in range(load(self.data, "I", at))]

    def tables(self, number):
        return [Table(self.data, at + load(self.data, "I", at)) for at in self.elements(number)]


def root(data):
    return Table(data, load(data, "I", 0))


def type_json(type_id, table, child_count):
    name, *parameters = TYPES[type_id]
    members = {"name": name}
    for member, slot, form, default, words in parameters:
        value = table.scalar(slot, form, default)
        members[member] = words[value] if words else value
    if type_id == TIMESTAMP and table.string(1):
        members["timezone"] = table.string(1)
    if type_id == UNION:
        stored = table.target(1) is not None
        members["typeIds"] = ([load(table.data, "i", at) for at in table.elements(1)] if stored
                              else list(range(child_count)))
    return members


def index_type_json(table):
    if table is None:
        return {"name": "int", "bitWidth": 32, "isSigned": True}
    return type_json(2, table, 0)


def metadata_json(pairs):
    return [{"key": pair.string(0), "value": pair.string(1)} for pair in pairs]


def field_json(field):
    children = [field_json(child) for child in field.tables(5)]
    members = {
        "name": field.string(0),
        "nullable": field.scalar(1, "?", False),
        "type": type_json(field.scalar(2, "B", 0), field.table(3), len(children)),
        "children": children,
    }
    dictionary = field.table(4)
    if dictionary:
        members["dictionary"] = {
            "id": dictionary.scalar(0, "q", 0),
            "indexType": index_type_json(dictionary.table(1)),
            "isOrdered": dictionary.scalar(2, "?", False),
        }
    if field.tables(6):
        members["metadata"] = metadata_json(field.tables(6))
    return members


def schema_json(schema):
    members = {"fields": [field_json(field) for field in schema.tables(1)]}
    if schema.tables(2):
        members["metadata"] = metadata_json(schema.tables(2))
    return {"schema": members}


def schema_of_message(data):
    message = root(data)
    if message.scalar(1, "B", 0) != HEADER_IS_SCHEMA:
        raise Damaged("the message is not a schema")
    return message.table(2)


def schema_of_encapsulated(data):
    """A message behind its length, with or without the continuation word."""
    start = 8 if load(data, "I", 0) == CONTINUATION else 4
    size = load(data, "I", start - 4)
    if start + size > len(data):
        raise Damaged("cut short")
    return schema_of_message(data[start:start + size])


def schema_of_text(text):
    """Base64, padded or not, of a message behind a continuation word, or of a bare message."""
    text = b"".join(text.split()).rstrip(b"=")
    data = base64.b64decode(text + b"=" * (-len(text) % 4), validate=True)
    # The length behind the word is passed over: writers do not agree on what it counts.
    return schema_of_message(data[8:] if load(data, "I", 0) == CONTINUATION else data)


def schema_of_file(data):
    if data[-6:] != b"ARROW1":
        raise Damaged("no ARROW1 at the end")
    size = load(data, "i", len(data) - 10)
    if not 0 < size <= len(data) - 10:
        raise Damaged("footer length")
    return root(data[-10 - size:-10]).table(1)


class Thrift:
    """Enough of Thrift's compact protocol to walk to the key-value pairs of a Parquet footer."""

    def __init__(self, data):
        self.data = data
        self.at = 0

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def varint(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    def binary(self):
        size = self.varint()
        self.at += size
        return self.data[self.at - size:self.at]

    def list_head(self):
        head = self.byte()
        return (self.varint() if head >> 4 == 15 else head >> 4), head & 15

    def fields(self):
        """Yield (id, wire type) of a struct's fields; the caller consumes each value."""
        number = 0
        while True:
            head = self.byte()
            if head == 0:
                return
            if head >> 4:
                number += head >> 4
            else:
                zigzag = self.varint()
                number = (zigzag >> 1) ^ -(zigzag & 1)
            yield number, head & 15

    def skip(self, wire, inside_list=False):
        if wire in (1, 2):
            self.at += 1 if inside_list else 0
        elif wire in (3, 4, 5, 6):
            self.byte() if wire == 3 else self.varint()
        elif wire == 7:
            self.at += 8
        elif wire == 8:
            self.binary()
        elif wire in (9, 10):
            count, element = self.list_head()
            for _ in range(count):
                self.skip(element, True)
        elif wire == 12:
            for _, inner in self.fields():
                self.skip(inner)
        else:
            raise Damaged(f"thrift type {wire}")


def parquet_pairs(footer):
    """The file's key-value metadata: field 5, a list of structs of key (1) and value (2)."""
    reader = Thrift(footer)
    for number, wire in reader.fields():
        if number != 5:
            reader.skip(wire)
            continue
        for _ in range(reader.list_head()[0]):
            pair = {1: None, 2: None}
            for member, inner in reader.fields():
                if member in pair:
                    pair[member] = reader.binary()
                else:
                    reader.skip(inner)
            yield pair[1], pair[2]


def schema_of_parquet(data):
    size = load(data, "I", len(data) - 8)
    for key, value in parquet_pairs(data[-8 - size:-8]):
        if key == b"ARROW:schema":
            return schema_of_text(value)
    raise Damaged("Parquet without the key ARROW:schema")


FINDERS = {
    "schema": root,
    "message": schema_of_message,
    "footer": lambda data: root(data).table(1),
    "encapsulated": schema_of_encapsulated,
    "stream": schema_of_encapsulated,
    "file": schema_of_file,
    "parquet": schema_of_parquet,
    "base64": schema_of_text,
}


def expected_line(data, kind):
    schema = FINDERS[kind](data)
    if schema is None:
        raise Damaged("no schema")
    return json.dumps(schema_json(schema), ensure_ascii=False, separators=(",", ":")) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--as", dest="kind", choices=sorted(FINDERS))
    parser.add_argument("file")
    arguments = parser.parse_args()
    kind = arguments.kind or KINDS.get(arguments.file.rsplit(".", 1)[-1])
    if kind is None:
        parser.error("the ending tells no kind; say --as KIND")
    with open(arguments.file, "rb") as file:
        data = file.read()
    try:
        line = expected_line(data, kind)
    except (Damaged, struct.error, ValueError, LookupError, AttributeError) as error:
        sys.exit(f"{arguments.file}: {type(error).__name__}: {error}")
    sys.stdout.buffer.write(line.encode("utf-8"))


if __name__ == "__main__":
    main()
