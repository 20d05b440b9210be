/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Comparing two schemas.
 *
 * Two walks go in step: whenever a pair of fields is compared, both stand at the same path.
 * Children that only one field has are told and passed before the other walk goes on. Every
 * function returns whether to go on; it does not after a fault (`fault`, in the schema of
 * `faulty`), or when the caller has seen enough (`fault` stays FAULT_NONE).
 */
#include "entries.h"
#include "members.h"
#include "verify.h"

struct side {
    const fletch_schema *schema;
    const fletch_field *field;    /* under comparison, or NULL */
    const fletch_key_value *pair; /* likewise */
    fletch_walk walk;
};

struct comparison {
    struct side a, b;
    const fletch_compare_options *options;
    fletch_take_difference take;
    void *context;
    bool is_different;
    struct fault fault;
    struct side *faulty;
    fletch_difference difference; /* being put together, and where it is */
    struct fault place;
};

/* A table of each side: the structs that the rows are about, and what leads to them. */
struct tables {
    const struct shape *shape;
    const void *a, *b;
    uint32_t at_a, at_b;             /* 0: absent, all at default */
    uint32_t children_a, children_b; /* of a union's field; else 0 */
    const char *outer[2];            /* members that lead to the table, from the inside out */
    uint32_t outer_index;            /* of the innermost */
};

static struct tables tables_of(const struct shape *shape, const void *a, uint32_t at_a,
                               const void *b, uint32_t at_b)
{
    struct tables tables = {0};

    tables.shape = shape;
    tables.a = a;
    tables.b = b;
    tables.at_a = at_a;
    tables.at_b = at_b;
    tables.outer_index = NO_INDEX;
    return tables;
}

/* Faults */

static bool fault_in(struct comparison *comparison, struct side *side)
{
    comparison->faulty = side;
    return false;
}

static bool take_string(struct comparison *comparison, struct side *side, fletch_string string)
{
    return fletch_take_string(&side->walk, string, &comparison->fault) ||
           fault_in(comparison, side);
}

/* Compares bytes only where the sizes are equal. */
static bool same_string(struct comparison *comparison, fletch_string a, fletch_string b, bool *same)
{
    *same = false;
    if (a.size != b.size) return true;
    if (!take_string(comparison, &comparison->a, a) || !take_string(comparison, &comparison->b, b))
        return false;
    *same = fletch_same_string(a, b);
    return true;
}

/* Sentences */

/* Most characters of a string in a sentence, before "...". */
#define MOST_QUOTED 52u

static void append_quoted(short_text *text, fletch_string string)
{
    static const char hex[] = "0123456789abcdef";
    const size_t begin = text->used;
    size_t i;

    fletch_append_text(text, "\"");
    for (i = 0; i < string.size && text->used - begin <= MOST_QUOTED; i++) {
        const uint8_t byte = (uint8_t)string.data[i];
        char piece[5] = {(char)byte, '\0'};

        if (byte < 0x20 || byte > 0x7E || byte == '"' || byte == '\\') {
            piece[0] = '\\';
            piece[1] = 'x';
            piece[2] = hex[byte >> 4];
            piece[3] = hex[byte & 15];
        }
        fletch_append_text(text, piece);
    }
    fletch_append_text(text, i < string.size ? "\"..." : "\"");
}

static void append_presence(short_text *text, fletch_aspect aspect,
                            const fletch_difference_side *side)
{
    if (!side->is_there) {
        fletch_append_text(text, "none");
        return;
    }
    switch (aspect) {
    case FLETCH_ASPECT_FIELD:
        fletch_append_text(text, "field ");
        append_quoted(text, side->field->name);
        break;
    case FLETCH_ASPECT_METADATA:
        fletch_append_text(text, "pair ");
        append_quoted(text, side->pair->key);
        break;
    default:
        fletch_append_text(text, "dictionary ");
        fletch_append_number(text, side->field->dictionary.id);
        break;
    }
}

/* The word that a value has, or NULL. */
static const char *word_of(const fletch_difference *difference, const fletch_difference_side *side)
{
    const int64_t number = side->number;

    if (difference->form != FLETCH_FORM_ENUMERATOR) return NULL;
    switch (difference->aspect) {
    case FLETCH_ASPECT_TYPE: return number < TYPE_COUNT ? fletch_type_shapes[number].name : NULL;
    case FLETCH_ASPECT_ENDIANNESS: return fletch_enumerator_word(&fletch_schema_shape, number);
    case FLETCH_ASPECT_ENCODING: return fletch_enumerator_word(&fletch_dictionary_shape, number);
    default: return fletch_enumerator_word(&fletch_type_shapes[side->field->type.id], number);
    }
}

static void append_value(short_text *text, const fletch_difference *difference,
                         const fletch_difference_side *side)
{
    const char *word = word_of(difference, side);

    switch (difference->form) {
    case FLETCH_FORM_PRESENCE: append_presence(text, difference->aspect, side); return;
    case FLETCH_FORM_STRING: append_quoted(text, side->string); return;
    case FLETCH_FORM_BOOL: fletch_append_text(text, side->number != 0 ? "true" : "false"); return;
    default: break;
    }
    if (word != NULL)
        fletch_append_text(text, word);
    else
        fletch_append_number(text, side->number);
    if (difference->form == FLETCH_FORM_COUNT) fletch_append_text(text, " elements");
}

/* "bitWidth 32 against 64": the last step of the path, and both values. */
static void write_sentence(fletch_difference *difference, const struct fault *place)
{
    fletch_error *error = &difference->error;
    short_text text = {error->sentence, sizeof error->sentence, 0, SIZE_MAX, SIZE_MAX};

    if (difference->form != FLETCH_FORM_PRESENCE) {
        fletch_append_text(&text, place->names[0]);
        fletch_append_text(&text, " ");
    }
    append_value(&text, difference, &difference->a);
    fletch_append_text(&text, " against ");
    append_value(&text, difference, &difference->b);
}

/* Differences */

static void begin_side(fletch_difference_side *out, const struct side *side, uint32_t at)
{
    out->is_there = true;
    out->field = side->field;
    out->pair = side->pair;
    out->number = 0;
    out->string = fletch_text("");
    out->offset = side->schema->origin + at;
}

/* Begins a difference that stands at `at_a` and `at_b`; steps of its path follow, inside out. */
static fletch_difference *begin(struct comparison *comparison, fletch_aspect aspect,
                                fletch_form form, uint32_t at_a, uint32_t at_b)
{
    fletch_difference *difference = &comparison->difference;

    difference->aspect = aspect;
    difference->form = form;
    begin_side(&difference->a, &comparison->a, at_a);
    begin_side(&difference->b, &comparison->b, at_b);
    fletch_set_fault(&comparison->place, FAULT_DIFFERENT, 0, 0, 0);
    return difference;
}

/* Tells the difference that was put together; `where` stands at its field. */
static bool tell(struct comparison *comparison, const struct side *where)
{
    fletch_difference *difference = &comparison->difference;

    comparison->is_different = true;
    fletch_tell(&difference->error, &comparison->place, 0, "", &where->walk);
    difference->error.offset = difference->a.offset;
    write_sentence(difference, &comparison->place);
    comparison->fault.reason = FAULT_NONE;
    return comparison->take(comparison->context, difference);
}

/* The table that the field or schema under comparison is. */
static uint32_t owner_of(const struct side *side)
{
    return side->field != NULL ? side->field->at : side->schema->at;
}

/* Tells what only `here` has, at the table `at`; `there` is where the other lacks it. */
static bool tell_only(struct comparison *comparison, const struct side *here, fletch_aspect aspect,
                      const char *name, uint32_t index, uint32_t at, uint32_t there)
{
    const bool is_a = here == &comparison->a;
    fletch_difference *difference =
        begin(comparison, aspect, FLETCH_FORM_PRESENCE, is_a ? at : there, is_a ? there : at);
    fletch_difference_side *lacking = is_a ? &difference->b : &difference->a;

    lacking->is_there = false;
    lacking->pair = NULL;
    if (aspect == FLETCH_ASPECT_FIELD) lacking->field = NULL;
    if (name != NULL) fletch_fault_inside(&comparison->place, name, index);
    return tell(comparison, here);
}

/* Members */

static fletch_aspect aspect_of(const struct shape *shape, uint32_t slot)
{
    if (shape == &fletch_schema_shape)
        return slot == SCHEMA_ENDIANNESS ? FLETCH_ASPECT_ENDIANNESS : FLETCH_ASPECT_FEATURES;
    if (shape == &fletch_field_shape) {
        if (slot == FIELD_NAME) return FLETCH_ASPECT_NAME;
        return slot == FIELD_NULLABLE ? FLETCH_ASPECT_NULLABLE : FLETCH_ASPECT_TYPE;
    }
    if (shape == &fletch_key_value_shape) return FLETCH_ASPECT_METADATA;
    if (shape == &fletch_dictionary_shape || shape == &fletch_int_shape)
        return FLETCH_ASPECT_ENCODING;
    return FLETCH_ASPECT_PARAMETER;
}

static fletch_form form_of(const struct row *row)
{
    switch (row->kind) {
    case ROW_BOOL: return FLETCH_FORM_BOOL;
    case ROW_TAG:
    case ROW_I16: return FLETCH_FORM_ENUMERATOR;
    case ROW_STRING: return FLETCH_FORM_STRING;
    default: return FLETCH_FORM_NUMBER;
    }
}

/* Where a member stands, or the table, or what the table is absent from. */
static uint32_t place_of(const struct side *side, uint32_t at, uint32_t slot)
{
    uint32_t place;

    if (at == 0) return side->field->dictionary.at; /* an index type; the schema's is never 0 */
    place = fletch_member_at(side->schema->buffer, at, slot);
    return place != 0 ? place : at;
}

/* Adds the steps to a member of the tables, or to an element of it. */
static void step_into(struct fault *place, const struct tables *tables, uint32_t slot,
                      uint32_t index)
{
    const struct row *row = &tables->shape->rows[slot];

    /* A tag that differs is the type's, in words. */
    fletch_fault_inside(place, row->kind == ROW_TAG ? "type" : row->name, index);
    if (tables->outer[0] != NULL) fletch_fault_inside(place, tables->outer[0], tables->outer_index);
    if (tables->outer[1] != NULL) fletch_fault_inside(place, tables->outer[1], NO_INDEX);
}

/* Begins a difference in a member of the tables, or in an element of it. */
static fletch_difference *begin_member(struct comparison *comparison, const struct tables *tables,
                                       uint32_t slot, uint32_t index)
{
    const struct row *row = &tables->shape->rows[slot];
    fletch_difference *difference = begin(comparison, aspect_of(tables->shape, slot), form_of(row),
                                          place_of(&comparison->a, tables->at_a, slot),
                                          place_of(&comparison->b, tables->at_b, slot));

    step_into(&comparison->place, tables, slot, index);
    return difference;
}

static bool tell_numbers(struct comparison *comparison, const struct tables *tables, uint32_t slot,
                         fletch_form form, int64_t a, int64_t b)
{
    fletch_difference *difference = begin_member(comparison, tables, slot, NO_INDEX);

    difference->form = form;
    difference->a.number = a;
    difference->b.number = b;
    return tell(comparison, &comparison->a);
}

static bool compare_scalar(struct comparison *comparison, const struct tables *tables,
                           uint32_t slot)
{
    const struct row *row = &tables->shape->rows[slot];
    const int64_t a = fletch_scalar_of(tables->a, row);
    const int64_t b = fletch_scalar_of(tables->b, row);

    return a == b || tell_numbers(comparison, tables, slot, form_of(row), a, b);
}

static bool compare_string(struct comparison *comparison, const struct tables *tables,
                           uint32_t slot)
{
    const struct row *row = &tables->shape->rows[slot];
    const void *in_a = (const char *)tables->a + row->member;
    const void *in_b = (const char *)tables->b + row->member;
    const fletch_string a = *(const fletch_string *)in_a;
    const fletch_string b = *(const fletch_string *)in_b;
    fletch_difference *difference;
    bool same;

    if (!same_string(comparison, a, b, &same)) {
        step_into(&comparison->fault, tables, slot, NO_INDEX);
        return false;
    }
    if (same) return true;
    difference = begin_member(comparison, tables, slot, NO_INDEX);
    difference->a.string = a;
    difference->b.string = b;
    return tell(comparison, &comparison->a);
}

static bool take_numbers(struct comparison *comparison, struct side *side,
                         const struct numbers *numbers)
{
    return fletch_take_numbers(&side->walk, numbers, &comparison->fault) ||
           fault_in(comparison, side);
}

/* Moves an offset from the member to its element, if that is not implied. */
static void move_to_element(fletch_difference_side *out, const struct side *side,
                            const struct numbers *numbers, uint32_t i)
{
    const fletch_integers *integers = numbers->integers;

    if (numbers->is_implied) return;
    out->offset = side->schema->origin + integers->at + (uint64_t)i * integers->width;
}

static bool compare_element(struct comparison *comparison, const struct tables *tables,
                            uint32_t slot, const struct numbers *a, const struct numbers *b,
                            uint32_t i)
{
    const int64_t in_a = fletch_number_at(a, i);
    const int64_t in_b = fletch_number_at(b, i);
    fletch_difference *difference;

    if (in_a == in_b) return true;
    difference = begin_member(comparison, tables, slot, i);
    difference->a.number = in_a;
    difference->b.number = in_b;
    move_to_element(&difference->a, &comparison->a, a, i);
    move_to_element(&difference->b, &comparison->b, b, i);
    return tell(comparison, &comparison->a);
}

/* Compares two integer vectors as far as both go. */
static bool compare_elements(struct comparison *comparison, const struct tables *tables,
                             uint32_t slot, const struct numbers *a, const struct numbers *b)
{
    const uint32_t count = a->count < b->count ? a->count : b->count;
    uint32_t i;

    if (a->is_implied && b->is_implied) return true;
    if (!take_numbers(comparison, &comparison->a, a) ||
        !take_numbers(comparison, &comparison->b, b)) {
        step_into(&comparison->fault, tables, slot, NO_INDEX);
        return false;
    }
    for (i = 0; i < count; i++)
        if (!compare_element(comparison, tables, slot, a, b, i)) return false;
    return true;
}

/* How many there are is told only where that is not just how many children there are. */
static bool compare_integers(struct comparison *comparison, const struct tables *tables,
                             uint32_t slot)
{
    const struct row *row = &tables->shape->rows[slot];
    const struct numbers a = fletch_numbers_of(tables->a, row, tables->children_a);
    const struct numbers b = fletch_numbers_of(tables->b, row, tables->children_b);

    if (!compare_elements(comparison, tables, slot, &a, &b)) return false;
    return a.count == b.count || tables->children_a != tables->children_b ||
           tell_numbers(comparison, tables, slot, FLETCH_FORM_COUNT, a.count, b.count);
}

/* Scalars, strings and integers of two tables. */
static bool compare_tables(struct comparison *comparison, const struct tables *tables)
{
    const struct shape *shape = tables->shape;
    const bool has_free_name =
        fletch_has_free_name(&comparison->a.walk) && fletch_has_free_name(&comparison->b.walk);
    bool goes_on = true;
    uint32_t slot;

    for (slot = 0; slot < shape->row_count && goes_on; slot++) {
        const struct row *row = &shape->rows[slot];

        if (fletch_is_ignored(comparison->options, shape, slot, has_free_name)) continue;
        if (is_scalar(row)) goes_on = compare_scalar(comparison, tables, slot);
        if (row->kind == ROW_STRING) goes_on = compare_string(comparison, tables, slot);
        if (row->kind == ROW_INTEGERS) goes_on = compare_integers(comparison, tables, slot);
    }
    return goes_on;
}

/* Metadata */

static bool fault_in_pair(struct comparison *comparison, uint32_t index)
{
    return fail_inside(&comparison->fault, "custom_metadata", index);
}

/* The next pair, number `index`; false: a fault, since there is one. */
static bool next_pair(struct comparison *comparison, struct side *side, fletch_metadata *pairs,
                      fletch_key_value *pair, uint32_t index)
{
    if (fletch_walk_pair(&side->walk, pairs, pair, &comparison->fault)) return true;
    fault_in(comparison, side);
    return fault_in_pair(comparison, index);
}

static bool same_pair(struct comparison *comparison, const fletch_key_value *a,
                      const fletch_key_value *b, uint32_t index, bool *same)
{
    return (same_string(comparison, a->key, b->key, same) &&
            (!*same || same_string(comparison, a->value, b->value, same))) ||
           fault_in_pair(comparison, index);
}

static bool tell_pair(struct comparison *comparison, struct side *here,
                      const fletch_key_value *pair, uint32_t index)
{
    const struct side *there = here == &comparison->a ? &comparison->b : &comparison->a;
    bool goes_on;

    here->pair = pair;
    goes_on = tell_only(comparison, here, FLETCH_ASPECT_METADATA, "custom_metadata", index,
                        pair->at, owner_of(there));
    here->pair = NULL;
    return goes_on;
}

/* Tells all pairs that are left, the first of which is number `index`. */
static bool tell_pairs(struct comparison *comparison, struct side *side, fletch_metadata pairs,
                       uint32_t index)
{
    fletch_key_value pair;

    for (; pairs.position < pairs.end; index++)
        if (!next_pair(comparison, side, &pairs, &pair, index) ||
            !tell_pair(comparison, side, &pair, index))
            return false;
    return true;
}

static bool compare_pair(struct comparison *comparison, const fletch_key_value *a,
                         const fletch_key_value *b, uint32_t index)
{
    struct tables tables = tables_of(&fletch_key_value_shape, a, a->at, b, b->at);
    bool goes_on;

    tables.outer[0] = "custom_metadata";
    tables.outer_index = index;
    comparison->a.pair = a;
    comparison->b.pair = b;
    goes_on = compare_tables(comparison, &tables);
    comparison->a.pair = comparison->b.pair = NULL;
    return goes_on;
}

static bool compare_ordered(struct comparison *comparison, fletch_metadata a, fletch_metadata b)
{
    fletch_key_value pair_a, pair_b;
    uint32_t index;

    for (index = 0; a.position < a.end && b.position < b.end; index++)
        if (!next_pair(comparison, &comparison->a, &a, &pair_a, index) ||
            !next_pair(comparison, &comparison->b, &b, &pair_b, index) ||
            !compare_pair(comparison, &pair_a, &pair_b, index))
            return false;
    return tell_pairs(comparison, &comparison->a, a, index) &&
           tell_pairs(comparison, &comparison->b, b, index);
}

/*
 * Metadata without order: the pairs that are left when both begin with the same ones are listed by
 * their hash, the lists sorted, and pairs of equal hash compared. What finds no partner is put
 * together at the start of its list.
 */

static bool list_pairs(struct comparison *comparison, struct side *side, fletch_metadata pairs,
                       uint32_t index, struct entries *list)
{
    struct entry entry;
    fletch_key_value pair;

    for (list->count = 0; pairs.position < pairs.end; list->count++, index++) {
        if (!next_pair(comparison, side, &pairs, &pair, index)) return false;
        if (!take_string(comparison, side, pair.key) || !take_string(comparison, side, pair.value))
            return fault_in_pair(comparison, index);
        entry.key = fletch_hash_pair(&pair);
        entry.at = pair.at;
        entry.ordinal = index;
        fletch_set_entry(list, list->count, entry);
    }
    fletch_sort_entries(list);
    return true;
}

/* The pair of an entry, read once more. */
static bool pair_of(struct comparison *comparison, struct side *side, struct entry entry,
                    fletch_key_value *pair)
{
    if (fletch_take_tables(&side->walk, 1, entry.at, &comparison->fault) &&
        fletch_decode_pair(side->schema->buffer, entry.at, pair, &comparison->fault))
        return true;
    fault_in(comparison, side);
    return fault_in_pair(comparison, entry.ordinal);
}

/* Finds a partner in [begin, end) of the list of b; `*found` is `end` where there is none. */
static bool find_partner(struct comparison *comparison, struct entry entry,
                         const struct entries *list, size_t begin, size_t end, size_t *found)
{
    fletch_key_value a, b;
    bool same = false;

    *found = begin;
    if (begin == end) return true;
    if (!pair_of(comparison, &comparison->a, entry, &a)) return false;
    for (; *found < end; ++*found) {
        if (!pair_of(comparison, &comparison->b, fletch_get_entry(list, *found), &b) ||
            !same_pair(comparison, &a, &b, entry.ordinal, &same))
            return false;
        if (same) return true;
    }
    return true;
}

/* Behind the entries of this key that begin at `i`. */
static size_t end_of_key(const struct entries *list, size_t i, uint64_t key)
{
    while (i < list->count && fletch_get_entry(list, i).key == key)
        i++;
    return i;
}

/* Whether the list of a, from i on, has the lower key, or the same as that of b. */
static bool is_turn_of_a(const struct entries *a, size_t i, const struct entries *b, size_t j)
{
    if (i == a->count || j == b->count) return j == b->count;
    return fletch_get_entry(a, i).key <= fletch_get_entry(b, j).key;
}

/* Leaves the entries without a partner in both lists. */
static bool match(struct comparison *comparison, struct entries *a, struct entries *b)
{
    size_t i = 0, j = 0, left_a = 0, left_b = 0;

    while (i < a->count || j < b->count) {
        const uint64_t key =
            is_turn_of_a(a, i, b, j) ? fletch_get_entry(a, i).key : fletch_get_entry(b, j).key;
        const size_t end_a = end_of_key(a, i, key), end_b = end_of_key(b, j, key);

        for (; i < end_a; i++) {
            const struct entry entry = fletch_get_entry(a, i);
            size_t found;

            if (!find_partner(comparison, entry, b, j, end_b, &found)) return false;
            if (found == end_b)
                fletch_set_entry(a, left_a++, entry);
            else
                fletch_set_entry(b, found, fletch_get_entry(b, j++));
        }
        while (j < end_b)
            fletch_set_entry(b, left_b++, fletch_get_entry(b, j++));
    }
    a->count = left_a;
    b->count = left_b;
    return true;
}

/* Tells the pairs of a list in their order. */
static bool tell_entries(struct comparison *comparison, struct side *side, struct entries *list)
{
    struct entry entry;
    fletch_key_value pair;
    size_t i;

    for (i = 0; i < list->count; i++) {
        entry = fletch_get_entry(list, i);
        entry.key = 0;
        fletch_set_entry(list, i, entry);
    }
    fletch_sort_entries(list);
    for (i = 0; i < list->count; i++) {
        entry = fletch_get_entry(list, i);
        if (!pair_of(comparison, side, entry, &pair) ||
            !tell_pair(comparison, side, &pair, entry.ordinal))
            return false;
    }
    return true;
}

static bool compare_multisets(struct comparison *comparison, fletch_metadata a, fletch_metadata b,
                              uint32_t index)
{
    const uint64_t count_a = fletch_count_metadata(&a);
    const uint64_t wanted = (count_a + fletch_count_metadata(&b)) * sizeof(struct entry);
    struct entries list_a = {0}, list_b = {0};

    if (wanted > comparison->options->memory_size) {
        fletch_set_fault(&comparison->fault, FAULT_SCRATCH, 0, 0, 0);
        return fault_in(comparison, &comparison->a);
    }
    list_a.memory = comparison->options->memory;
    list_b.memory = list_a.memory + count_a * sizeof(struct entry);
    return list_pairs(comparison, &comparison->a, a, index, &list_a) &&
           list_pairs(comparison, &comparison->b, b, index, &list_b) &&
           match(comparison, &list_a, &list_b) &&
           tell_entries(comparison, &comparison->a, &list_a) &&
           tell_entries(comparison, &comparison->b, &list_b);
}

static bool compare_unordered(struct comparison *comparison, fletch_metadata a, fletch_metadata b)
{
    uint32_t index;

    for (index = 0; a.position < a.end && b.position < b.end; index++) {
        fletch_metadata next_a = a, next_b = b;
        fletch_key_value pair_a, pair_b;
        bool same;

        if (!next_pair(comparison, &comparison->a, &next_a, &pair_a, index) ||
            !next_pair(comparison, &comparison->b, &next_b, &pair_b, index) ||
            !same_pair(comparison, &pair_a, &pair_b, index, &same))
            return false;
        if (!same) return compare_multisets(comparison, a, b, index);
        a = next_a;
        b = next_b;
    }
    return tell_pairs(comparison, &comparison->a, a, index) &&
           tell_pairs(comparison, &comparison->b, b, index);
}

static bool compare_metadata(struct comparison *comparison, const fletch_metadata *a,
                             const fletch_metadata *b)
{
    const fletch_compare_options *options = comparison->options;

    if (options->ignore_metadata) return true;
    return options->ignore_metadata_order ? compare_unordered(comparison, *a, *b)
                                          : compare_ordered(comparison, *a, *b);
}

/* Fields */

static bool compare_types(struct comparison *comparison, const fletch_field *a,
                          const fletch_field *b)
{
    struct tables tables;

    if (a->type.id != b->type.id || a->type.id >= TYPE_COUNT) return true;
    tables = tables_of(&fletch_type_shapes[a->type.id], &a->type, a->type.at, &b->type, b->type.at);
    tables.children_a = fletch_count_fields(&a->children);
    tables.children_b = fletch_count_fields(&b->children);
    tables.outer[0] = "type";
    return compare_tables(comparison, &tables);
}

static bool compare_dictionaries(struct comparison *comparison, const fletch_field *a,
                                 const fletch_field *b)
{
    struct tables tables, index_types;

    if (!a->has_dictionary && !b->has_dictionary) return true;
    if (!b->has_dictionary)
        return tell_only(comparison, &comparison->a, FLETCH_ASPECT_DICTIONARY, "dictionary",
                         NO_INDEX, a->dictionary.at, b->at);
    if (!a->has_dictionary)
        return tell_only(comparison, &comparison->b, FLETCH_ASPECT_DICTIONARY, "dictionary",
                         NO_INDEX, b->dictionary.at, a->at);
    tables = tables_of(&fletch_dictionary_shape, &a->dictionary, a->dictionary.at, &b->dictionary,
                       b->dictionary.at);
    tables.outer[0] = "dictionary";
    index_types =
        tables_of(&fletch_int_shape, &a->dictionary.index_type, a->dictionary.index_type_at,
                  &b->dictionary.index_type, b->dictionary.index_type_at);
    index_types.outer[0] = "indexType";
    index_types.outer[1] = "dictionary";
    return compare_tables(comparison, &tables) && compare_tables(comparison, &index_types);
}

/* All of two fields but their children. */
static bool compare_field(struct comparison *comparison, const fletch_field *a,
                          const fletch_field *b)
{
    const struct tables tables = tables_of(&fletch_field_shape, a, a->at, b, b->at);

    comparison->a.field = a;
    comparison->b.field = b;
    return compare_tables(comparison, &tables) && compare_types(comparison, a, b) &&
           compare_dictionaries(comparison, a, b) &&
           compare_metadata(comparison, &a->metadata, &b->metadata);
}

static walk_event step(struct comparison *comparison, struct side *side, fletch_field *field)
{
    const walk_event event = fletch_walk_step(&side->walk, field, &comparison->fault);

    if (event == WALK_FAULT) fault_in(comparison, side);
    return event;
}

/*
 * Tells the fields that only `here` has, of which `field` is the first if `*event` says so, up to
 * their end. `there` is the table in which the other has no more of them.
 */
static bool pass_surplus(struct comparison *comparison, struct side *here, fletch_field *field,
                         walk_event *event, uint32_t there)
{
    while (*event == WALK_FIELD) {
        here->field = field;
        fletch_walk_skip(&here->walk);
        if (!tell_only(comparison, here, FLETCH_ASPECT_FIELD, NULL, NO_INDEX, field->at, there))
            return false;
        *event = step(comparison, here, field);
    }
    return *event != WALK_FAULT;
}

/* A field whose children the other has none of at all: the other's walk will not enter them. */
static bool pass_children(struct comparison *comparison, struct side *here, fletch_field *field,
                          uint32_t there)
{
    walk_event event = step(comparison, here, field);

    return event != WALK_FAULT && pass_surplus(comparison, here, field, &event, there);
}

/* Two fields that both walks stand at. */
static bool visit_fields(struct comparison *comparison, fletch_field *a, fletch_field *b)
{
    const bool has_children_a = fletch_count_fields(&a->children) != 0;
    const bool has_children_b = fletch_count_fields(&b->children) != 0;

    if (!compare_field(comparison, a, b)) return false;
    if (has_children_a && !has_children_b)
        return pass_children(comparison, &comparison->a, a, b->at);
    if (has_children_b && !has_children_a)
        return pass_children(comparison, &comparison->b, b, a->at);
    return true;
}

/* The table whose fields a walk has come to the end of. */
static uint32_t table_left(const struct side *side, walk_event event)
{
    return event == WALK_LEAVE ? side->walk.left_at : side->schema->at;
}

static bool compare_fields(struct comparison *comparison)
{
    struct side *side_a = &comparison->a, *side_b = &comparison->b;
    fletch_field a, b;

    for (;;) {
        walk_event event_a = step(comparison, side_a, &a);
        walk_event event_b = event_a == WALK_FAULT ? WALK_FAULT : step(comparison, side_b, &b);

        if (event_a == WALK_FAULT || event_b == WALK_FAULT) return false;
        if (event_a == WALK_FIELD && event_b == WALK_FIELD) {
            if (!visit_fields(comparison, &a, &b)) return false;
            continue;
        }
        if (!pass_surplus(comparison, side_a, &a, &event_a, table_left(side_b, event_b)) ||
            !pass_surplus(comparison, side_b, &b, &event_b, table_left(side_a, event_a)))
            return false;
        if (event_a == WALK_END) return true;
    }
}

static bool compare_schemas(struct comparison *comparison)
{
    const fletch_schema *a = comparison->a.schema, *b = comparison->b.schema;
    const struct tables tables = tables_of(&fletch_schema_shape, a, a->at, b, b->at);

    if (!compare_tables(comparison, &tables) || !compare_fields(comparison)) return false;
    comparison->a.field = comparison->b.field = NULL;
    return compare_metadata(comparison, &a->metadata, &b->metadata);
}

/* Calls */

/* The most pairs that the schema or a field of it has. */
static bool count_most_pairs(struct side *side, const fletch_limits *limits, uint64_t *most,
                             struct fault *fault)
{
    fletch_field field;
    walk_event event;

    *most = fletch_count_metadata(&side->schema->metadata);
    fletch_walk_begin(&side->walk, side->schema, limits);
    do {
        event = fletch_walk_step(&side->walk, &field, fault);
        if (event == WALK_FIELD && fletch_count_metadata(&field.metadata) > *most)
            *most = fletch_count_metadata(&field.metadata);
    } while (event == WALK_FIELD || event == WALK_LEAVE);
    return event == WALK_END;
}

static fletch_status tell_fault(struct comparison *comparison, fletch_error *error)
{
    const struct side *side = comparison->faulty;

    fletch_tell(error, &comparison->fault, side->schema->origin, fletch_schema_prefix(side->schema),
                &side->walk);
    return fletch_fault_status(comparison->fault.reason);
}

/* Tells how much memory is certain to do; the walks are over and begin anew. */
static fletch_status tell_memory(struct comparison *comparison, fletch_error *error)
{
    const fletch_compare_options *options = comparison->options;
    uint64_t most_a, most_b, wanted;

    comparison->faulty = &comparison->a;
    if (!count_most_pairs(&comparison->a, &options->limits, &most_a, &comparison->fault))
        return tell_fault(comparison, error);
    comparison->faulty = &comparison->b;
    if (!count_most_pairs(&comparison->b, &options->limits, &most_b, &comparison->fault))
        return tell_fault(comparison, error);
    wanted = (most_a + most_b) * FLETCH_COMPARE_MEMORY;
    fletch_say_fault(error, FAULT_SCRATCH, 0, (int64_t)options->memory_size, (int64_t)wanted);
    if (error != NULL) error->wanted = wanted;
    return FLETCH_NO_SPACE;
}

static void begin_schema(struct side *side, const fletch_schema *schema,
                         const fletch_limits *limits)
{
    side->schema = schema;
    side->field = NULL;
    side->pair = NULL;
    fletch_walk_begin(&side->walk, schema, limits);
}

fletch_status fletch_compare_each(const fletch_schema *a, const fletch_schema *b,
                                  const fletch_compare_options *options,
                                  fletch_take_difference take, void *context, fletch_error *error)
{
    const fletch_schema *empty = a->at == 0 ? a : b;
    struct comparison comparison;

    if (!fletch_has_schema(empty, error)) return FLETCH_MISSING;
    comparison.options = options != NULL ? options : &fletch_compare_defaults;
    comparison.take = take;
    comparison.context = context;
    comparison.is_different = false;
    comparison.fault.reason = FAULT_NONE;
    begin_schema(&comparison.a, a, &comparison.options->limits);
    begin_schema(&comparison.b, b, &comparison.options->limits);
    if (!compare_schemas(&comparison) && comparison.fault.reason != FAULT_NONE)
        return comparison.fault.reason == FAULT_SCRATCH ? tell_memory(&comparison, error)
                                                        : tell_fault(&comparison, error);
    if (!comparison.is_different) return FLETCH_OK;
    fletch_say_fault(error, FAULT_DIFFERENT, 0, 0, 0);
    return FLETCH_DIFFERENT;
}

/* Keeps the first difference, and wants no more. */
static bool keep_first(void *context, const fletch_difference *difference)
{
    fletch_error *first = context;

    *first = difference->error;
    return false;
}

fletch_status fletch_compare(const fletch_schema *a, const fletch_schema *b,
                             const fletch_compare_options *options, fletch_error *error)
{
    fletch_error first;
    const fletch_status status = fletch_compare_each(a, b, options, keep_first, &first, error);

    if (status == FLETCH_DIFFERENT && error != NULL) *error = first;
    return status;
}

fletch_status fletch_expect(const void *bytes, size_t size, const fletch_options *open_options,
                            const fletch_schema *expected,
                            const fletch_compare_options *compare_options, fletch_error *error)
{
    fletch_schema schema;
    const fletch_status status = fletch_open_with(bytes, size, open_options, &schema, error);

    if (status != FLETCH_OK) return status;
    return fletch_compare(&schema, expected, compare_options, error);
}
