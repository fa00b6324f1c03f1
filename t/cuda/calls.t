# SPDX-License-Identifier: Apache-2.0
#
# calls.t - test_calls on the test double of the driver.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use FakeGpu;

run_on_double('test_calls');
