/** Measures the CPU time of this thread for nightly tests. Waiting for a busy CPU does not count. */
export function cpuMilliseconds(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
