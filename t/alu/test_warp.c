/* SPDX-License-Identifier: Apache-2.0
 *
 * Lanes that talk to each other, where not all are there.
 */
#include "alu_test.h"

static uint64_t by_lane[ALU_LANES];

static int setup(void **state)
{
    (void)state;
    for (uint64_t l = 0; l < ALU_LANES; l++) {
        by_lane[l] = 100 + l;
    }
    return 0;
}

static void run_lanes(const char *body, uint64_t d[ALU_LANES])
{
    const struct alu_case c = {.body = body, .d = 32, .operand = {{32, by_lane}}};
    alu_run(&c, d, NULL);
}

static void shfl_in_segments(void **state)
{
    uint64_t d[ALU_LANES];
    (void)state;
    /* Segments of 8: c = (32 - 8) << 8 | 31; up clamps at 0. */
    run_lanes("shfl.sync.down.b32 %d, %a, 3, 0x181f, -1", d);
    for (uint64_t l = 0; l < ALU_LANES; l++) {
        assert_int_equal(d[l], by_lane[l % 8 < 5 ? l + 3 : l]);
    }
    run_lanes("shfl.sync.up.b32 %d, %a, 3, 0x1800, -1", d);
    for (uint64_t l = 0; l < ALU_LANES; l++) {
        assert_int_equal(d[l], by_lane[l % 8 >= 3 ? l - 3 : l]);
    }
    run_lanes("shfl.sync.bfly.b32 %d|%p, %a, 16, 0x1f, -1; @!%p mov.u32 %d, 0", d);
    for (uint64_t l = 0; l < ALU_LANES; l++) {
        assert_int_equal(d[l], by_lane[l ^ 16]);
    }
    run_lanes("shfl.sync.idx.b32 %d, %a, 2, 0x181f, -1", d);
    for (uint64_t l = 0; l < ALU_LANES; l++) {
        assert_int_equal(d[l], by_lane[l / 8 * 8 + 2]);
    }
    run_lanes("shfl.down.b32 %d, %a, 1, 0x1f", d);
    assert_int_equal(d[0], 101);
    assert_int_equal(d[31], 131);
}

static void shfl_onto_itself(void **state)
{
    uint64_t d[ALU_LANES];
    (void)state;
    run_lanes("mov.u32 %d, %a; shfl.sync.idx.b32 %d, %d, 31, 31, -1", d);
    for (uint64_t l = 0; l < ALU_LANES; l++) {
        assert_int_equal(d[l], by_lane[l / 32 * 32 + 31]);
    }
}

/* The even lanes branch away: each group names its own lanes. */
static void groups_vote_apart(void **state)
{
    uint64_t d[ALU_LANES];
    (void)state;
    run_lanes("and.b32 %t, %i, 1; setp.eq.u32 %p, %t, 0; setp.lt.u32 %q, %i, 6;\n"
              "@%p bra even;\n"
              "vote.sync.ballot.b32 %d, %q, 0xaaaaaaaa; bra join;\n"
              "even: vote.sync.ballot.b32 %d, !%q, 0x55555555;\n"
              "join:",
              d);
    for (uint64_t l = 0; l < ALU_LANES; l++) {
        uint32_t below = l < 32 ? 0x3f : 0;
        assert_int_equal(d[l], l & 1 ? below & 0xaaaaaaaa : ~below & 0x55555555);
    }
    run_lanes("and.b32 %t, %i, 1; setp.eq.u32 %p, %t, 0;\n"
              "@%p bra even;\n"
              "activemask.b32 %d; bra join;\n"
              "even: redux.sync.add.u32 %d, %a, 0x55555555;\n"
              "join:",
              d);
    for (uint64_t l = 0; l < ALU_LANES; l++) {
        uint32_t sum = l < 32 ? 16 * 100 + 240 : 16 * 132 + 240;
        assert_int_equal(d[l], l & 1 ? 0xaaaaaaaa : sum);
    }
}

static void under_a_guard(void **state)
{
    uint64_t d[ALU_LANES];
    (void)state;
    run_lanes("and.b32 %t, %i, 31; setp.lt.u32 %q, %t, 4; @%q activemask.b32 %d", d);
    for (uint64_t l = 0; l < ALU_LANES; l++) {
        assert_int_equal(d[l], l % 32 < 4 ? 0xf : 0x5a5a5a5a);
    }
    run_lanes("and.b32 %t, %i, 31; setp.lt.u32 %q, %t, 4; setp.eq.u32 %p, %t, 2;\n"
              "@%q vote.sync.any.pred %p, %p, 0xf; selp.u32 %d, 1, 0, %p",
              d);
    for (uint64_t l = 0; l < ALU_LANES; l++) {
        assert_int_equal(d[l], l % 32 < 4);
    }
}

static void match_and_elect(void **state)
{
    uint64_t d[ALU_LANES];
    (void)state;
    run_lanes("and.b32 %t, %i, 3; match.any.sync.b32 %d, %t, -1", d);
    for (uint64_t l = 0; l < ALU_LANES; l++) {
        assert_int_equal(d[l], 0x11111111u << l % 4);
    }
    run_lanes("shr.u32 %t, %i, 4; setp.lt.u32 %q, %t, 1; mov.u32 %d, 7;\n"
              "@%q match.all.sync.b32 %d|%p, %t, 0xffff",
              d);
    for (uint64_t l = 0; l < ALU_LANES; l++) {
        assert_int_equal(d[l], l < 16 ? 0xffff : 7);
    }
    run_lanes("and.b32 %t, %i, 31; setp.gt.u32 %q, %t, 4; setp.eq.u32 %p, %t, 99;\n"
              "@%q elect.sync _|%p, 0xffffffe0; selp.u32 %d, 1, 0, %p",
              d);
    for (uint64_t l = 0; l < ALU_LANES; l++) {
        assert_int_equal(d[l], l % 32 == 5);
    }
}

/* Lanes that have exited are not waited for. */
static void lanes_that_exited_are_absent(void **state)
{
    uint64_t d[ALU_LANES];
    (void)state;
    run_lanes("setp.gt.u32 %q, %i, 9; @%q ret;\n"
              "setp.lt.u32 %p, %i, 64; vote.sync.ballot.b32 %d, %p, -1",
              d);
    for (uint64_t l = 0; l < ALU_LANES; l++) {
        assert_int_equal(d[l], l <= 9 ? 0x3ff : 0);
    }
}

static void lanes_that_are_elsewhere_are_a_fault(void **state)
{
    const struct alu_case named = {
        .body = "and.b32 %t, %i, 1; setp.eq.u32 %p, %t, 0; @%p bra even;\n"
                "mov.u32 %d, 1; bra join;\n"
                "even: shfl.sync.idx.b32 %d, %i, 1, 31, -1;\n"
                "join:",
        .d = 32};
    const struct alu_case itself = {.body = "vote.sync.any.pred %p, 1, 0xfffffffe",
                                    .d = 32};
    (void)state;
    alu_fails(&named, BL_E_FAULT, "names lanes that are not here (0xaaaaaaaa)");
    alu_fails(&itself, BL_E_FAULT, "leaves out the lane itself");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(shfl_in_segments),
        TEST(shfl_onto_itself),
        TEST(groups_vote_apart),
        TEST(under_a_guard),
        TEST(match_and_elect),
        TEST(lanes_that_exited_are_absent),
        TEST(lanes_that_are_elsewhere_are_a_fault),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, setup, NULL);
}
