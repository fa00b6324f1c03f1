/* SPDX-License-Identifier: Apache-2.0
 *
 * question.h - what an access costs: asked of one warp of a block or of all, and shown.
 */
#ifndef BL_QUESTION_H
#define BL_QUESTION_H

#include "bank/pattern.h"
#include "report/report.h"

struct bl_question {
    struct bl_access_form form;
    bool block_given; /* else the block is a default, which has one dimension */
    bool all_warps;   /* else `warp` */
    uint32_t warp;
    struct bl_constants constants;
};

/* load, shared, 4 bytes, 32 threads, all lanes, warp 0. */
extern const struct bl_question bl_question_default;

/* "all", or a warp's number. */
enum bl_status bl_question_set_warp(struct bl_question *question, const char *text,
                                    struct bl_error *err);

struct bl_answer {
    uint32_t warps;             /* of the block */
    uint32_t warp;              /* that asked for; of all the first of the worst */
    uint32_t alike;             /* all: warps that cost as much as it does */
    struct bl_warp_lanes lanes; /* its */
    struct bl_warp_cost cost;   /* its */
    struct bl_warp_cost sum;    /* of the one warp, or of all */
    uint64_t end;               /* behind the highest byte, of the warps asked for */
};

/* BL_E_INPUT: the form isn't the arch's, the block has no such warp, the address needs a
 * block's shape and none was given, or a lane has no right address. The worst warp is the
 * one of most wavefronts, or of most sectors. */
enum bl_status bl_question_answer(const struct bl_question *question,
                                  const struct bl_address *address,
                                  const struct bl_arch *arch, struct bl_answer *out,
                                  struct bl_error *err);

/* The numbers of a cost, under their names in CSV and JSON. */
struct bl_cost_number {
    const char *name, *other; /* `other`: a name that also means it; or NULL */
    bool is_global;
    size_t offset; /* of the uint32_t in struct bl_warp_cost */
    size_t least;  /* of what its least, where the arch leaves it open, is found by; 0:
                      there is one number */
    const char *meaning;
};
extern const struct bl_cost_number bl_cost_numbers[];
enum { BL_COST_NUMBERS = 8 };
uint32_t bl_cost_number(const struct bl_warp_cost *cost,
                        const struct bl_cost_number *number);
/* Whether there is a least beside it, under the name with "_least" behind; and that. */
bool bl_cost_has_least(const struct bl_arch *arch, const struct bl_cost_number *number);
uint32_t bl_cost_least(const struct bl_warp_cost *cost,
                       const struct bl_cost_number *number);

/* For people, with a picture of the answer's warp; and as one JSON object. */
enum bl_status bl_answer_text(const struct bl_question *question,
                              const struct bl_address *address,
                              const struct bl_arch *arch, const struct bl_answer *answer,
                              const struct bl_style *style, FILE *out,
                              struct bl_error *err);
enum bl_status bl_answer_json(const struct bl_question *question,
                              const struct bl_address *address,
                              const struct bl_arch *arch, const struct bl_answer *answer,
                              FILE *out, struct bl_error *err);

#endif
