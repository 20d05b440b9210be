/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Faults: what is wrong, where, as plain values; words are made of them only when somebody asks.
 *
 * The one list below gives each fault its status and its sentence. %v and %o stand for the two
 * values that come with a fault.
 */
#ifndef FLETCH_SRC_FAULT_H
#define FLETCH_SRC_FAULT_H

#include "fletch/base.h"

/*
 * Hints for compilers that take them. The decoder is inlined by force where it is hot, in builds
 * that ask for speed; what only runs at a fault is kept out of the way.
 */
#if defined(__GNUC__) && defined(__OPTIMIZE__) && !defined(__OPTIMIZE_SIZE__)
#define FORCE_INLINE static inline __attribute__((always_inline))
#else
#define FORCE_INLINE static inline
#endif
/* Kept a function of its own, so that the one that calls it keeps its registers. */
#if defined(__GNUC__)
#define APART __attribute__((noinline))
#else
#define APART
#endif
/* Whether the build asks for little code: then what is unrolled for speed is there once. */
#ifdef __OPTIMIZE_SIZE__
#define IS_SMALL 1
#else
#define IS_SMALL 0
#endif
#if defined(__GNUC__)
#define COLD __attribute__((cold, noinline))
#else
#define COLD
#endif

/* X(reason, status, sentence) */
#define FAULT_ROWS(X)                                                                              \
    X(NONE, OK, "")                                                                                \
    /* FlatBuffers */                                                                              \
    X(ROOT_MISSING, TRUNCATED, "%v bytes are too few for a root offset")                           \
    X(WORD_OUTSIDE, MALFORMED, "a word stands beyond the end of the %o bytes")                     \
    X(OFFSET_ZERO, MALFORMED, "the offset is zero")                                                \
    X(OFFSET_NEGATIVE, MALFORMED, "the offset %v has bit 31 set")                                  \
    X(OFFSET_OUTSIDE, MALFORMED, "the offset %v leads beyond the end of the %o bytes")             \
    X(OFFSET_MISALIGNED, MALFORMED, "the offset %v leads to %o, not a multiple of 4")              \
    X(VTABLE_OUTSIDE, MALFORMED, "the vtable offset %v leads out of the %o bytes")                 \
    X(VTABLE_MISALIGNED, MALFORMED, "the vtable starts at the odd position %v")                    \
    X(VTABLE_SIZE_ODD, MALFORMED, "the vtable's size %v is odd")                                   \
    X(VTABLE_SIZE_SMALL, MALFORMED, "the vtable's size %v is below 4")                             \
    X(VTABLE_SIZE_OUTSIDE, MALFORMED,                                                              \
      "the vtable's size %v leads beyond the end, %o bytes are left")                              \
    X(TABLE_SIZE_SMALL, MALFORMED, "the table's size %v is below 4")                               \
    X(TABLE_SIZE_OUTSIDE, MALFORMED,                                                               \
      "the table's size %v leads beyond the end, %o bytes are left")                               \
    X(SLOT_SMALL, MALFORMED, "the slot %v lies inside the table's first word")                     \
    X(SLOT_OUTSIDE, MALFORMED, "the slot %v ends beyond the table's size %o")                      \
    X(SLOT_MISALIGNED, MALFORMED, "the slot %v is not a multiple of the member's size %o")         \
    X(STRING_OUTSIDE, MALFORMED, "the string's length %v leads beyond the end, %o bytes are left") \
    X(STRING_UNTERMINATED, MALFORMED, "the string of %v bytes is followed by %o, not by NUL")      \
    X(VECTOR_OUTSIDE, MALFORMED, "the vector's count %v leads beyond the end, %o bytes are left")  \
    X(UNION_WITHOUT_VALUE, MALFORMED, "the union's tag is %v but its value is absent")             \
    X(UNION_WITHOUT_TAG, MALFORMED, "the union has a value but its tag is NONE")                   \
    /* FlatBuffers, level strict */                                                                \
    X(MISALIGNED_8, MALFORMED, "an 8-byte value stands at %v, not a multiple of 8")                \
    X(BOOL, MALFORMED, "the bool is stored as %v")                                                 \
    X(UTF8, MALFORMED, "the string is not UTF-8 at its byte %v")                                   \
    /* limits */                                                                                   \
    X(DEPTH, LIMIT, "fields nest deeper than %v")                                                  \
    X(TABLES, LIMIT, "more than %v tables would have to be visited")                               \
    X(TEXT, LIMIT, "more than %v bytes of text would have to be read")                             \
    X(FLATBUFFER_LARGE, TOO_LARGE, "%v bytes are more than a flatbuffer can have")                 \
    /* Arrow */                                                                                    \
    X(VERSION, UNSUPPORTED, "the metadata version is %v (V1 is 0, V5 is 4)")                       \
    X(HEADER, NOT_A_SCHEMA, "the message carries header type %v")                                  \
    X(HEADER_NONE, NOT_A_SCHEMA, "the message carries nothing (header type NONE)")                 \
    X(HEADER_DICTIONARY_BATCH, NOT_A_SCHEMA, "the message carries a DictionaryBatch")              \
    X(HEADER_RECORD_BATCH, NOT_A_SCHEMA, "the message carries a RecordBatch")                      \
    X(HEADER_TENSOR, NOT_A_SCHEMA, "the message carries a Tensor")                                 \
    X(HEADER_SPARSE_TENSOR, NOT_A_SCHEMA, "the message carries a SparseTensor")                    \
    X(FOOTER_SCHEMA, MISSING, "the footer has no schema")                                          \
    X(NO_SCHEMA, MISSING, "there is no schema")                                                    \
    X(SCHEMA_FIELDS, MISSING, "the schema has no fields vector")                                   \
    X(BODY_NEGATIVE, MALFORMED, "the body length is %v")                                           \
    X(BODY_PRESENT, INVALID, "the body length of a schema message is %v, not 0")                   \
    X(ENDIANNESS, UNSUPPORTED, "endianness %v is unknown")                                         \
    X(FEATURE, UNSUPPORTED, "feature %v is unknown")                                               \
    X(KEY_ABSENT, INVALID, "the pair has no key")                                                  \
    X(VALUE_ABSENT, INVALID, "the pair has no value")                                              \
    X(TYPE_ABSENT, MISSING, "the field has no type")                                               \
    X(TYPE_UNKNOWN, UNSUPPORTED, "type %v is unknown")                                             \
    X(PRECISION_UNKNOWN, UNSUPPORTED, "floating-point precision %v is unknown")                    \
    X(UNIT_UNKNOWN, UNSUPPORTED, "unit %v is unknown")                                             \
    X(MODE_UNKNOWN, UNSUPPORTED, "union mode %v is unknown")                                       \
    X(KIND_UNKNOWN, UNSUPPORTED, "dictionary kind %v is unknown")                                  \
    X(INT_WIDTH, INVALID, "the integer is %v bits wide, not 8, 16, 32 or 64")                      \
    X(DECIMAL_WIDTH, INVALID, "the decimal is %v bits wide, not 32, 64, 128 or 256")               \
    X(DECIMAL_PRECISION, INVALID, "the precision is %v, not 1 to %o")                              \
    X(TIME_WIDTH, INVALID, "a time of unit %o is %v bits wide")                                    \
    X(BYTE_WIDTH, INVALID, "the byte width is %v")                                                 \
    X(LIST_SIZE, INVALID, "the list size is %v")                                                   \
    X(TYPE_IDS_COUNT, INVALID, "there are %v type ids for %o children")                            \
    X(TYPE_ID_RANGE, INVALID, "the type id %v is not 0 to 127")                                    \
    X(TYPE_ID_TWICE, INVALID, "the type id %v stands there twice")                                 \
    X(UNION_WIDE, INVALID, "the union has %v children, more than 128")                             \
    X(CHILD_COUNT, INVALID, "the type has %v children, not %o")                                    \
    X(LEAF_CHILDREN, INVALID, "a type without children has %v")                                    \
    X(MAP_ENTRIES, INVALID, "the map's entries are of type %v, not Struct_")                       \
    X(MAP_ENTRIES_COUNT, INVALID, "the map's entries have %v children, not 2")                     \
    X(MAP_ENTRIES_NULLABLE, INVALID, "the map's entries are nullable")                             \
    X(MAP_KEY_NULLABLE, INVALID, "the map's key is nullable")                                      \
    X(RUN_ENDS_TYPE, INVALID, "the run ends are of type %v, not signed Int")                       \
    X(RUN_ENDS_UNSIGNED, INVALID, "the run ends are unsigned")                                     \
    X(RUN_ENDS_WIDTH, INVALID, "the run ends are %v bits wide, not 16, 32 or 64")                  \
    X(RUN_ENDS_NULLABLE, INVALID, "the run ends are nullable")                                     \
    X(DICTIONARY_CONFLICT, INVALID, "dictionary %v has another value type than before")            \
    X(DICTIONARY_WORK, LIMIT, "comparing the dictionaries takes more than the budget")             \
    X(DICTIONARY_MEMORY, NO_SPACE, "%v bytes of memory were lent, %o are needed")                  \
    /* containers */                                                                               \
    X(NO_BYTES, EMPTY, "there are no bytes")                                                       \
    X(CUT, TRUNCATED, "there are %v bytes, %o are wanted")                                         \
    X(LENGTH_NEGATIVE, MALFORMED, "the length %v is negative")                                     \
    X(LENGTH_SMALL, MALFORMED, "the length %v is too short for a flatbuffer")                      \
    X(END_OF_STREAM, MISSING, "the stream ends before any schema")                                 \
    X(FILE_HEAD, MALFORMED, "the file does not start with ARROW1")                                 \
    X(FILE_TRAILER, TRUNCATED, "the file of %v bytes does not end with ARROW1")                    \
    X(FOOTER_LENGTH, MALFORMED, "the footer's length %v does not fit a file of %o bytes")          \
    X(PARQUET_HEAD, MALFORMED, "the file does not start with PAR1")                                \
    X(PARQUET_TRAILER, TRUNCATED, "the file of %v bytes does not end with PAR1")                   \
    X(PARQUET_LENGTH, MALFORMED, "the footer's length %v does not fit a file of %o bytes")         \
    X(THRIFT_CUT, MALFORMED, "the footer's Thrift ends in the middle of a value")                  \
    X(THRIFT_TYPE, MALFORMED, "the footer's Thrift has a value of unknown type %v")                \
    X(THRIFT_DEPTH, LIMIT, "the footer's Thrift nests deeper than %v")                             \
    X(PARQUET_KEY, UNRECOGNISED, "it looks like a Parquet file without ARROW:schema")              \
    X(PARQUET_ENCRYPTED, UNRECOGNISED, "it looks like a Parquet file with an encrypted footer")    \
    X(LOOKS_LZ4, UNRECOGNISED, "it looks like an LZ4 frame")                                       \
    X(LOOKS_ZSTANDARD, UNRECOGNISED, "it looks like a Zstandard frame")                            \
    X(LOOKS_GZIP, UNRECOGNISED, "it looks like gzip")                                              \
    X(LOOKS_FEATHER_V1, UNRECOGNISED, "it looks like a Feather V1 file")                           \
    X(LOOKS_BZIP2, UNRECOGNISED, "it looks like bzip2")                                            \
    X(LOOKS_XZ, UNRECOGNISED, "it looks like an XZ file")                                          \
    X(LOOKS_ZIP, UNRECOGNISED, "it looks like a ZIP archive")                                      \
    X(LOOKS_ORC, UNRECOGNISED, "it looks like an ORC file")                                        \
    X(LOOKS_AVRO, UNRECOGNISED, "it looks like an Avro file")                                      \
    X(LOOKS_SQLITE, UNRECOGNISED, "it looks like an SQLite database")                              \
    X(LOOKS_PDF, UNRECOGNISED, "it looks like a PDF document")                                     \
    X(LOOKS_PNG, UNRECOGNISED, "it looks like a PNG picture")                                      \
    X(LOOKS_ELF, UNRECOGNISED, "it looks like a program (ELF)")                                    \
    X(LOOKS_TEXT, UNRECOGNISED, "it looks like text")                                              \
    X(UNRECOGNISED, UNRECOGNISED, "it does not look like a container of an Arrow schema")          \
    X(BASE64_CHARACTER, BAD_BASE64, "byte %v is no base64 character")                              \
    X(BASE64_LENGTH, BAD_BASE64, "%v base64 characters are no whole number of bytes")              \
    X(BASE64_PADDING, BAD_BASE64, "characters follow the padding")                                 \
    X(BASE64_MESSAGE, NOT_A_MESSAGE, "the %v decoded bytes are not a message")                     \
    X(SCRATCH, NO_SPACE, "%v bytes of memory were lent, %o are needed")                            \
    /* C data interface */                                                                         \
    X(C_STRING, INVALID, "a NUL stands at byte %v of a text that becomes a C string")              \
    X(C_LARGE, TOO_LARGE, "%v bytes are more than memory can have")                                \
    X(C_LIST, NO_SPACE, "there is space for %v dictionaries, there are %o")                        \
    X(C_RELEASED, MISUSE, "the ArrowSchema is NULL or released")                                   \
    X(C_NULL, INVALID, "the ArrowSchema is NULL")                                                  \
    X(C_NESTED_RELEASED, INVALID, "the ArrowSchema is released")                                   \
    X(C_COUNT, INVALID, "the number of children is %v")                                            \
    X(C_CHILDREN, INVALID, "there are %v children, but the pointer to them is NULL")               \
    X(C_NO_FORMAT, INVALID, "the format is NULL")                                                  \
    X(C_FORMAT, INVALID, "the format is wrong at byte %v, which is %o")                            \
    X(C_FORMAT_UNKNOWN, UNSUPPORTED, "the format is unknown at byte %v, which is %o")              \
    X(C_NOT_STRUCT, INVALID, "a schema's format is +s, this one's is not")                         \
    X(C_SCHEMA_DICTIONARY, INVALID, "a schema has no dictionary, this one has")                    \
    X(C_INDEX, INVALID, "the format of dictionary indices is of type %v, not Int")                 \
    X(C_INDEX_CHILDREN, INVALID, "the dictionary indices have %v children")                        \
    X(C_DICTIONARY, INVALID, "the dictionary is itself dictionary-encoded")                        \
    X(C_TWO_METADATA, INVALID, "the dictionary has metadata, and so has the field")                \
    X(C_PAIRS, INVALID, "the number of metadata pairs is %v")                                      \
    X(C_BYTES, INVALID, "the size of a metadata string is %v")                                     \
    X(C_NODES, LIMIT, "there are more than %v ArrowSchemas")                                       \
    X(C_UNLISTED, MISUSE, "field %v is dictionary-encoded but not among those listed")             \
    /* calls */                                                                                    \
    X(CHANGED, MALFORMED, "the bytes changed while they were read")                                \
    X(BUILD_LARGE, TOO_LARGE, "%v bytes are more than a flatbuffer can have")                      \
    X(BUILD_MISUSE_OPEN, MISUSE, "a field is still open")                                          \
    X(BUILD_MISUSE_CLOSED, MISUSE, "no field is open")                                             \
    X(BUILD_MISUSE_FINISHED, MISUSE, "the schema is finished or released")                         \
    X(BUILD_MISUSE_UNFINISHED, MISUSE, "the schema is not finished")                               \
    X(BUILD_MISUSE_SETTING, MISUSE, "the setting %v does not fit here")                            \
    X(BUILD_MISUSE_FLAGS, MISUSE, "the flags are %v, a field's are 0 or FLETCH_NULLABLE")          \
    X(MISUSE_KIND, MISUSE, "kind %v does not fit here")                                            \
    X(MISUSE_LEVEL, MISUSE, "there is no level %v")                                                \
    X(BUILD_MISUSE_TWICE, MISUSE, "the field has a dictionary already")                            \
    X(BUILD_FEATURES, LIMIT, "more than %v features")                                              \
    X(BUILD_ALLOCATOR, NO_MEMORY, "the allocator gave no memory; %v bytes are wanted")             \
    X(BUILD_SPACE, NO_SPACE, "%v bytes of memory were lent, %o are needed")                        \
    X(WRITER_REFUSED, NO_SPACE, "the writer refused the text")                                     \
    X(VISITOR_ENDED, NO_SPACE, "the visitor ended the visit")                                      \
    X(TEXT_NOT_UTF8, MALFORMED, "the string is not UTF-8 at its byte %v, so not JSON text")        \
    X(NOT_FOUND, MISSING, "there is none")                                                         \
    X(DIFFERENT, DIFFERENT, "the schemas differ")

enum reason {
#define FAULT_ENUMERATOR(reason, status, sentence) FAULT_##reason,
    FAULT_ROWS(FAULT_ENUMERATOR)
#undef FAULT_ENUMERATOR
};

/* A step of a path, from the inside out: a member's name, and an index or NO_INDEX. */
#define NO_INDEX        UINT32_MAX
#define FAULT_MAX_STEPS 5

struct fault {
    enum reason reason;
    uint32_t at; /* in the flatbuffer: the first byte of the word at fault */
    int64_t value, other;
    uint32_t step_count;
    const char *names[FAULT_MAX_STEPS];
    uint32_t indices[FAULT_MAX_STEPS];
};

/* Says what is wrong, and that it stands in the member `name` (inside out). NULL where nobody asks
 * why. */
COLD void fletch_set_fault(struct fault *fault, enum reason reason, uint32_t at, int64_t value,
                           int64_t other);
COLD void fletch_fault_inside(struct fault *fault, const char *name, uint32_t index);

/* The same as the value of a check that failed; inline, so that compilers see it is false. */
FORCE_INLINE bool fail(struct fault *fault, enum reason reason, uint32_t at, int64_t value,
                       int64_t other)
{
    if (IS_SMALL || fault != NULL) fletch_set_fault(fault, reason, at, value, other);
    return false;
}

FORCE_INLINE bool fail_inside(struct fault *fault, const char *name, uint32_t index)
{
    if (IS_SMALL || fault != NULL) fletch_fault_inside(fault, name, index);
    return false;
}

fletch_status fletch_fault_status(enum reason reason);

/* Appends to a text of fixed size; what does not fit is left out, the NUL always fits. */
typedef struct short_text {
    char *data;
    size_t size;               /* bytes of data, the NUL included */
    size_t used;               /* characters written and left out */
    size_t skip_from, skip_to; /* those in between are not written: fletch_write_elided */
} short_text;

void fletch_append_text(short_text *text, const char *piece);
void fletch_append_number(short_text *text, int64_t value);

/* Appends a step of a path: a dot where it is not the first, the name, the index if any. */
void fletch_append_step(short_text *text, const char *name, uint32_t index);

/* Fills status, offset and sentence; the path stays empty. */
void fletch_say_fault(fletch_error *error, enum reason reason, uint64_t offset, int64_t value,
                      int64_t other);

/* Fills a path of `size` bytes by calling `write_path` twice: to measure, then to write. */
void fletch_write_elided(char *path, size_t size,
                         void (*write_path)(const void *context, short_text *),
                         const void *context);

void fletch_clear_error(fletch_error *error);

#endif
