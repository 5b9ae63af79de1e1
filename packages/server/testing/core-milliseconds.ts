/** For nightly tests: how long this thread works on something. Waiting for a core that others use is no part of it. */
export function coreMilliseconds(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}
