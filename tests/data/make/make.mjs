// SPDX-License-Identifier: Apache-2.0
// Write the test files: node make.mjs OUTPUT-FOLDER
// A file's name says who wrote it and what it is about. Its bytes are the encoder's own: put behind
// a length or cut where README.md says so, never edited. Started by make.sh, in its scratch folder.

import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";
import perspective from "@finos/perspective";
import * as flechette from "@uwdata/flechette";

const require = createRequire(import.meta.url);
const folder = process.argv[2];
const write = (name, bytes) => writeFileSync(path.join(folder, name), bytes);
const described = (name) => readFileSync(path.join("json", `${name}.json`), "utf8");

/* What flatc makes of a JSON text, read as the table named. */
function flatc(table, text) {
  writeFileSync("input.json", text);
  const inputs = ["arrow.fbs", "input.json"];
  execFileSync("flatc", ["--no-warnings", "--binary", "--root-type", table, ...inputs]);
  return readFileSync("input.bin");
}

function framed(flatbuffer) {
  const padding = -flatbuffer.length & 7;
  const prefix = Buffer.alloc(8);
  prefix.writeUInt32LE(0xffffffff, 0);
  prefix.writeInt32LE(flatbuffer.length + padding, 4);
  return Buffer.concat([prefix, flatbuffer, Buffer.alloc(padding)]);
}

/* The messages at the head of a stream, prefix included; all but the last must have no body. */
function messages(stream, count) {
  const bytes = Buffer.from(stream);
  const found = [];
  for (let at = 0; found.length < count; ) {
    const end = at + 8 + bytes.readInt32LE(at + 4);
    found.push(bytes.subarray(at, end));
    at = end;
  }
  return found;
}

function columns(count) {
  const types = [
    { type_type: "Int", type: { bitWidth: 32, is_signed: true } },
    { type_type: "Utf8", type: {} },
    { type_type: "FloatingPoint", type: { precision: "DOUBLE" } },
  ];
  return Array.from({ length: count }, (_, i) => ({ name: `column ${i}`, ...types[i % 3] }));
}

function flatcFiles() {
  for (const name of ["all-types", "absent", "future-type"]) {
    write(`flatc-2.0.8__${name}.schema`, flatc("Schema", described(`${name}.schema`)));
  }
  for (const name of ["dictionaries", "big-endian", "lax", "future-version"]) {
    write(`flatc-2.0.8__${name}.message`, flatc("Message", described(`${name}.message`)));
  }
  write("flatc-2.0.8__metadata.encap", framed(flatc("Message", described("metadata.message"))));

  /* A vector of sixteen fields, read as a table, leads back to the schema's own vtable. */
  write("flatc-2.0.8__sixteen.schema", flatc("Schema", JSON.stringify({ fields: columns(16) })));
  const footer = {
    version: "V4",
    schema: { fields: columns(48), custom_metadata: [{ key: "columns", value: "48" }] },
    recordBatches: [{ offset: 8, metaDataLength: 1208, bodyLength: 3072 }],
    custom_metadata: [{ key: "in the footer", value: "not the schema's" }],
  };
  write("flatc-2.0.8__wide.footer", flatc("Footer", JSON.stringify(footer)));
}

/* Releases before 0.15: no continuation word, metadata V4. */
function oldArrow() {
  const legacy = require("apache-arrow-0.4");
  const batch = legacy.Table.new(
    [
      legacy.Int32Vector.from([1, 2, 3]),
      legacy.Float64Vector.from([0.5, 1.5, 2.5]),
      legacy.Int8Vector.from([7, 8, 9]),
    ],
    ["id", "größe", "small"],
  );
  write("arrowjs-0.4.1__legacy.stream", batch.serialize("binary", true));

  const { RecordBatchFileWriter, Schema, Field, ...types } = require("apache-arrow-0.13");
  const words = types.Utf8Vector.from(["a", "b"]);
  const fields = [
    Field.new("b", new types.Bool(), false),
    Field.new("text", new types.Utf8(), true),
    Field.new("when", new types.TimestampMicrosecond("Europe/Paris"), true),
    Field.new("l", new types.List(Field.new("item", new types.Uint16(), true)), true),
    Field.new("s", new types.Struct([Field.new("x", new types.DateDay(), true)]), true),
    Field.new("c", new types.Dictionary(new types.Utf8(), new types.Int16(), 3, true, words), true),
  ];
  const writer = new RecordBatchFileWriter().reset(undefined, new Schema(fields)).finish();
  write("arrowjs-0.13.0__legacy.arrow", writer.toUint8Array(true));
}

/* Release 7: continuation word, metadata V4. */
function middleArrow() {
  const { Table, Schema, Field, tableToIPC, ...types } = require("apache-arrow-7");
  const point = new types.Struct([
    new Field("x", new types.Float32(), false),
    new Field("y", new types.Float16(), true),
  ]);
  const entries = new types.Struct([
    new Field("key", new types.Utf8(), false),
    new Field("value", new types.TimeNanosecond(), true),
  ]);
  const fields = [
    new Field("points", new types.List(new Field("point", point, true)), true),
    new Field("square", new types.FixedSizeList(4, new Field("corner", point, false)), false),
    new Field("lookup", new types.Map_(new Field("entries", entries, false), true), true),
    new Field("hash", new types.FixedSizeBinary(20), true),
    new Field("span", new types.IntervalDayTime(), true),
  ];
  const schema = new Schema(fields, new Map([["source", "release 7"]]));
  write("arrowjs-7.0.0__nested.stream", tableToIPC(new Table(schema), "stream"));
}

function newArrow() {
  const arrow = require("apache-arrow-21");
  const { Table, Schema, Field, tableToIPC, ...types } = arrow;
  const field = (name, type, nullable = true, metadata) =>
    new Field(name, type, nullable, metadata && new Map(Object.entries(metadata)));
  const stream = (fields, metadata) =>
    tableToIPC(new Table(new Schema(fields, metadata && new Map(metadata))), "stream");

  const members = [
    field("n", new types.Int64()),
    field("s", new types.LargeUtf8()),
    field("z", new types.Null()),
  ];
  write("arrowjs-21.2.0__unions.stream", stream([
    field("sparse", new types.SparseUnion([0, 1, 2], members), false),
    field("dense", new types.DenseUnion([127, 3, 64], members), false),
    field("inner", new types.List(field("item", new types.DenseUnion([4, 2, 0], members), false))),
  ]));

  /* The file writer puts the schema in the footer only. */
  const rows = arrow.tableFromArrays({ id: Int32Array.of(1, 2), tag: ["a", "b"] });
  write("arrowjs-21.2.0__footer-only.arrow", tableToIPC(rows, "file"));

  const plain = arrow.tableFromArrays({ id: Int32Array.of(1, 2) });
  const [schemaMessage, batchMessage] = messages(tableToIPC(plain, "stream"), 2);
  write("arrowjs-21.2.0__cut.stream", schemaMessage.subarray(0, 8 + 100));
  write("arrowjs-21.2.0__record-batch.encap", batchMessage);

  const names = stream([
    field("Ελλάδα", new types.Utf8(), true, { "clé": "valeur" }),
    field("한국어", new types.Decimal(2, 20, 128)),
    field("e\u0301 is not \u00e9", new types.DurationMicrosecond()),
    field("🏹", new types.IntervalMonthDayNano(), true, { "ARROW:extension:name": "example.bow" }),
  ], [["язык", "русский"]]);
  const lines = Buffer.from(names).toString("base64").match(/.{1,76}/g);
  write("arrowjs-21.2.0__names.base64", lines.join("\n") + "\n");

  const times = stream([
    field("fine", new types.TimeSecond()),
    field("wrong", new types.Time(types.TimeUnit.SECOND, 64)),
  ]);
  write("arrowjs-21.2.0__time-width.encap", messages(times, 1)[0]);
}

/* arrow-rs takes in what flatc wrote and writes it anew. */
async function arrowRust() {
  const rust = require("parquet-wasm/node");
  const taken = (text) => rust.Table.fromIPCStream(framed(flatc("Message", text)));
  const schema = described("all-types.schema");
  const message = `{"version": "V5", "header_type": "Schema", "header": ${schema}}`;
  write("parquetwasm-0.8.0__all-types.stream", taken(message).intoIPCStream());
  write("parquetwasm-0.8.0__nested.parquet", rust.writeParquet(taken(described("nested.message"))));
}

function polars() {
  const pl = require("nodejs-polars");
  const schema = {
    city: pl.Utf8,
    kind: pl.Categorical,
    count: pl.UInt16,
    price: pl.Float32,
    ok: pl.Bool,
    tags: pl.List(pl.Utf8),
  };
  const rows = {
    city: ["Oslo", "Łódź", null],
    kind: ["a", "b", "a"],
    count: [1, 2, 3],
    price: [1.25, null, 3.5],
    ok: [true, false, null],
    tags: [["x"], [], ["y", "z"]],
  };
  const count = pl.col("count");
  const frame = pl.DataFrame(rows, { schema }).withColumns(
    count.cast(pl.Date).alias("day"),
    count.cast(pl.Datetime("ns")).alias("at"),
    count.cast(pl.Duration("ms")).alias("took"),
    count.cast(pl.Decimal(12, 3)).alias("exact"),
  );
  const empty = frame.head(0);
  write("polars-0.25.2__frame.stream", empty.writeIPCStream());
  write("polars-0.25.2__frame.arrow", empty.writeIPC());
  write("polars-0.25.2__frame.parquet", empty.writeParquet({ compression: "uncompressed" }));

  /* The key's value alone, as a tool would copy it out of the footer. */
  const one = pl.DataFrame({ a: [1] }, { schema: { a: pl.Int32 } }).writeParquet();
  write("polars-0.25.2__key.base64", one.toString("latin1").match(/\/{5}[A-Za-z0-9+/=]+/)[0]);
}

function flechetteFiles() {
  const { tableFromColumns, columnFromArray, tableToIPC } = flechette;
  let deep = flechette.int16();
  for (let level = 30; level > 0; level--) {
    const child = flechette.field(`level ${level}`, deep);
    deep = level % 3 ? flechette.struct([child]) : flechette.list(child);
  }
  const top = tableFromColumns([["top", columnFromArray([], deep)]]);
  write("flechette-2.6.0__deep-30.stream", tableToIPC(top, "stream"));

  /* It builds no views from values, but writes those that it has read. */
  const views = flechette.tableFromIPC(framed(flatc("Message", described("views.message"))));
  write("flechette-2.6.0__views.arrow", tableToIPC(views, "file"));

  const none = flechette.tableFromArrays({ a: [1] }).select([]);
  write("flechette-2.6.0__no-columns.stream", tableToIPC(none, "stream"));
}

/* DuckDB compiled to WebAssembly hands results over as IPC files, written by Arrow C++. */
async function duckWasm() {
  const duckdb = require("@duckdb/duckdb-wasm/dist/duckdb-node-blocking.cjs");
  const dist = path.dirname(require.resolve("@duckdb/duckdb-wasm"));
  const bundle = (name) => ({ mainModule: path.join(dist, `duckdb-${name}.wasm`), mainWorker: "" });
  const bundles = { mvp: bundle("mvp"), eh: bundle("eh") };
  const database = await duckdb.createDuckDB(bundles, new duckdb.VoidLogger(), duckdb.NODE_RUNTIME);
  await database.instantiate(() => {});
  database.open({});
  const columns = [
    "1::TINYINT AS tiny",
    "2::HUGEINT AS huge",
    "1.5::DECIMAL(9, 2) AS price",
    "'a'::ENUM('a', 'b') AS choice",
    "[1, 2]::INTEGER[] AS list",
    "[1, 2, 3]::DOUBLE[3] AS xyz",
    "{'x': 1, 'ÿ': 's'} AS pair",
    "MAP {'k': 1::UBIGINT} AS lookup",
    "union_value(num := 5) AS either",
    "INTERVAL 1 DAY AS span",
    "DATE '2020-01-01' AS day",
    "TIME '12:00:00' AS clock",
    "TIMESTAMP_S '2020-01-01 00:00:00' AS stamp",
    "'x'::BLOB AS bytes",
    "NULL AS nothing",
  ];
  const query = `SELECT ${columns.join(", ")} WHERE false`;
  const connection = database.connect()._conn; /* runQuery gives the bytes, its wrapper a table */
  write("duckdbwasm-1.32.0__query.arrow", database.runQuery(connection, query));
}

/* DuckDB itself writes Parquet without an Arrow schema. */
async function duckNative() {
  const duckdb = require("@duckdb/node-api");
  const instance = await duckdb.DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const target = path.join(folder, "duckdb-1.5.6__no-key.parquet");
  await connection.run(`COPY (SELECT 1 AS a, 'x' AS b) TO '${target}' (FORMAT parquet)`);
}

async function perspectiveView() {
  const table = await perspective.table({
    id: "integer",
    "näme": "string",
    at: "datetime",
    day: "date",
    ok: "boolean",
    v: "float",
  });
  const view = await table.view();
  write("perspective-3.8.0__view.stream", new Uint8Array(await view.to_arrow()));
}

flatcFiles();
oldArrow();
middleArrow();
newArrow();
await arrowRust();
polars();
flechetteFiles();
await duckWasm();
await duckNative();
await perspectiveView();
process.exit(0); /* perspective leaves its engine running */
