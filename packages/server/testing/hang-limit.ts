/** A wait that takes longer hangs: no test may fail because the machine is slow. Less than the limit of a test, so that the wait is named. */
export const hangLimitMs = 1_500_000;
