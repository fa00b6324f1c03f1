# SPDX-License-Identifier: Apache-2.0
#
# worker.t - test_worker, which runs on whatever driver there is, on the double.
use strict;
use warnings;
use FindBin;
use lib $FindBin::Bin;
use FakeGpu;

run_on_double('test_worker');
