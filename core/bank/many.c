/* SPDX-License-Identifier: Apache-2.0 */
#include "bank/many.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bank/csv.h"
#include "bank/many_columns.h"
#include "base/text.h"

struct work {
    const struct bl_many *many;
    struct bl_many_columns columns;
    struct bl_csv *csv;
    struct bl_many_sum sum;
};

/* ---- one row's access
 * ------------------------------------------------------------------- */

/* The cell without blanks around it; NULL where there is nothing. */
static const char *cell(const struct bl_csv_record *row, int column)
{
    const char *text = column < 0 ? NULL : bl_text_trim(row->fields[column]);

    return text && *text ? text : NULL;
}

static enum bl_status read_form(const struct work *work, const struct bl_csv_record *row,
                                struct bl_question *question, struct bl_error *err)
{
    static enum bl_status (*const set[])(struct bl_access_form *, const char *,
                                         struct bl_error *) = {
        bl_form_set_op,    bl_form_set_space, bl_form_set_width,
        bl_form_set_block, bl_form_set_mask,
    };
    const int column[] = {work->columns.op, work->columns.space, work->columns.width,
                          work->columns.block, work->columns.mask};
    enum bl_status status = BL_OK;

    for (size_t i = 0; status == BL_OK && i < sizeof set / sizeof *set; i++)
        if (cell(row, column[i]))
            status = set[i](&question->form, cell(row, column[i]), err);
    if (cell(row, work->columns.block))
        question->block_given = true;
    if (status == BL_OK && cell(row, work->columns.warp))
        status = bl_question_set_warp(question, cell(row, work->columns.warp), err);
    return status;
}

static enum bl_status cost_of_address(const struct work *work, const char *text,
                                      const struct bl_question *question,
                                      struct bl_warp_cost *out, struct bl_error *err)
{
    struct bl_address *address;
    struct bl_answer answer;
    enum bl_status status = bl_address_read(text, &question->constants, &address, err);

    if (status != BL_OK)
        return status;
    status = bl_question_answer(question, address, work->many->arch, &answer, err);
    if (status == BL_OK)
        *out = answer.sum;
    bl_address_free(address);
    return status;
}

static enum bl_status cost_of_lanes(const struct work *work,
                                    const struct bl_csv_record *row,
                                    const struct bl_question *question,
                                    struct bl_warp_cost *out, struct bl_error *err)
{
    struct bl_warp_lanes lanes = {.mask = question->form.mask};
    enum bl_status status = bl_form_check(&question->form, work->many->arch, err);

    for (int lane = 0; status == BL_OK && lane < 32; lane++) {
        const char *text = cell(row, work->columns.lane[lane]);

        if ((lanes.mask >> lane & 1) &&
            (!text || !bl_text_uint(text, &lanes.address[lane])))
            return bl_error_set(err, BL_E_INPUT,
                                "a%d is lane %d's address: a whole number is expected, "
                                "not \"%.60s\"",
                                lane, lane, text ? text : "");
    }
    if (status == BL_OK)
        status = bl_lanes_check(&question->form, &lanes, err);
    if (status == BL_OK)
        bl_lanes_cost(work->many->arch, &question->form, &lanes, out);
    return status;
}

static enum bl_status row_cost(const struct work *work, const struct bl_csv_record *row,
                               struct bl_question *question, struct bl_warp_cost *out,
                               struct bl_error *err)
{
    const char *address = cell(row, work->columns.address);
    enum bl_status status = read_form(work, row, question, err);

    if (status != BL_OK)
        return status;
    if (address)
        return cost_of_address(work, address, question, out, err);
    if (work->columns.lane[0] >= 0)
        return cost_of_lanes(work, row, question, out, err);
    return bl_error_set(err, BL_E_INPUT, "the address is missing");
}

/* ---- what is expected
 * ----------------------------------------------------------------------- */

enum agreement { NOTHING, AGREES, DIFFERS };

static void tell(const struct work *work, const struct bl_csv_record *row,
                 const struct bl_cost_number *number, uint64_t expected, uint32_t least,
                 uint32_t most)
{
    const char *id = cell(row, work->columns.id);
    char from[32] = "", *text;

    if (least != most)
        snprintf(from, sizeof from, "%" PRIu32 " to ", least);
    text = bl_text_format("%s:%d: %s%s%s %" PRIu64 " expected, %s%" PRIu32
                          " by the rules of %s",
                          work->many->name, row->line, id ? id : "", id ? ": " : "",
                          number->name, expected, from, most, work->many->arch->name);
    if (text)
        work->many->differs(work->many->ctx, text);
    free(text);
}

static enum bl_status compare_number(const struct work *work,
                                     const struct bl_csv_record *row, size_t at,
                                     const struct bl_warp_cost *cost,
                                     enum agreement *agreement, struct bl_error *err)
{
    const struct bl_cost_number *number = &bl_cost_numbers[at];
    const char *text = cell(row, work->columns.expected[at]);
    const uint32_t most = bl_cost_number(cost, number);
    const uint32_t least =
        bl_cost_has_least(work->many->arch, number) ? bl_cost_least(cost, number) : most;
    uint64_t expected;

    if (!text || (strcmp(number->name, "cycles") == 0 && strchr(text, '.')))
        return BL_OK;
    if (!bl_text_uint(text, &expected))
        return bl_error_set(err, BL_E_INPUT,
                            "%s: a whole number is expected, not \"%.60s\"", number->name,
                            text);
    if (expected < least || expected > most) {
        tell(work, row, number, expected, least, most);
        *agreement = DIFFERS;
    } else if (*agreement == NOTHING) {
        *agreement = AGREES;
    }
    return BL_OK;
}

static enum bl_status compare(struct work *work, const struct bl_csv_record *row,
                              bool is_global, const struct bl_warp_cost *cost,
                              enum agreement *agreement, struct bl_error *err)
{
    enum bl_status status = BL_OK;

    *agreement = NOTHING;
    for (size_t i = 0; status == BL_OK && i < BL_COST_NUMBERS; i++)
        if (bl_cost_numbers[i].is_global == is_global)
            status = compare_number(work, row, i, cost, agreement, err);
    work->sum.patterns++;
    work->sum.compared += *agreement != NOTHING;
    work->sum.differing += *agreement == DIFFERS;
    return status;
}

/* ---- rows
 * -------------------------------------------------------------------------------------
 */

static void end_line(const struct work *work)
{
    fputs(bl_csv_crlf(work->csv) ? "\r\n" : "\n", work->many->out);
}

static void put_kept(const struct work *work, const struct bl_csv_record *row)
{
    const char *separator = "";

    for (size_t i = 0; i < row->count; i++) {
        if (work->columns.replaced[i])
            continue;
        fputs(separator, work->many->out);
        bl_csv_put(work->many->out, row->fields[i]);
        separator = ",";
    }
}

static void put_header(const struct work *work, const struct bl_csv_record *row)
{
    put_kept(work, row);
    for (size_t i = 0; i < BL_COST_NUMBERS; i++) {
        if (!work->columns.shown[i])
            continue;
        fprintf(work->many->out, ",rule_%s", bl_cost_numbers[i].name);
        if (bl_cost_has_least(work->many->arch, &bl_cost_numbers[i]))
            fprintf(work->many->out, ",rule_%s_least", bl_cost_numbers[i].name);
    }
    if (work->columns.expects)
        fputs(",agrees", work->many->out);
    end_line(work);
}

static void put_number(FILE *out, bool has, uint32_t value)
{
    if (has)
        fprintf(out, ",%" PRIu32, value);
    else
        fputc(',', out);
}

static void put_row(const struct work *work, const struct bl_csv_record *row,
                    bool is_global, const struct bl_warp_cost *cost,
                    enum agreement agreement)
{
    static const char *const words[] = {"", "yes", "no"};
    FILE *out = work->many->out;

    put_kept(work, row);
    for (size_t i = 0; i < BL_COST_NUMBERS; i++) {
        const struct bl_cost_number *number = &bl_cost_numbers[i];
        const bool has = number->is_global == is_global;

        if (!work->columns.shown[i])
            continue;
        put_number(out, has, bl_cost_number(cost, number));
        if (bl_cost_has_least(work->many->arch, number))
            put_number(out, has, bl_cost_least(cost, number));
    }
    if (work->columns.expects)
        fprintf(out, ",%s", words[agreement]);
    end_line(work);
}

static enum bl_status do_row(struct work *work, const struct bl_csv_record *row,
                             struct bl_error *err)
{
    struct bl_question question = *work->many->question;
    struct bl_warp_cost cost;
    enum agreement agreement;
    enum bl_status status;

    if (row->count != work->columns.count)
        return bl_error_at(err, BL_E_INPUT, work->many->name, row->line,
                           "%zu fields; the header has %zu", row->count,
                           work->columns.count);
    question.form.is_global = work->columns.is_global;
    status = row_cost(work, row, &question, &cost, err);
    if (status == BL_OK)
        status = compare(work, row, question.form.is_global, &cost, &agreement, err);
    if (status != BL_OK)
        return status == BL_E_INPUT
                   ? bl_error_prefix(err, "%s:%d", work->many->name, row->line)
                   : status;
    put_row(work, row, question.form.is_global, &cost, agreement);
    return BL_OK;
}

static enum bl_status run(struct work *work, struct bl_error *err)
{
    struct bl_csv_record row;
    enum bl_status status = bl_csv_next(work->csv, &row, err);

    if (status == BL_OK && row.count == 0)
        return bl_error_at(err, BL_E_INPUT, work->many->name, 0,
                           "a header is expected, not nothing");
    if (status == BL_OK)
        status = bl_many_columns_read(work->many, &row, &work->columns, err);
    if (status == BL_OK)
        put_header(work, &row);
    while (status == BL_OK) {
        status = bl_csv_next(work->csv, &row, err);
        if (status == BL_OK && row.count == 0)
            break;
        if (status == BL_OK)
            status = do_row(work, &row, err);
    }
    return status;
}

enum bl_status bl_many_run(const struct bl_many *many, struct bl_many_sum *out,
                           struct bl_error *err)
{
    struct work work = {.many = many};
    enum bl_status status = bl_csv_open(many->in, many->name, many->out, &work.csv, err);

    if (status != BL_OK)
        return status;
    status = run(&work, err);
    bl_csv_close(work.csv);
    if (status == BL_OK)
        status = bl_report_flush(many->out, err);
    if (status == BL_OK)
        *out = work.sum;
    return status;
}
