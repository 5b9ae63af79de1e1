/** A worker as operators run it: a process of its own, told by settings, ended by a signal. */
import { sourceOf, startProgram, type ProgramProcess } from './program-process.ts';

export interface WorkerProcess extends ProgramProcess {
  /** As attempts carry it. */
  name: string;
}

const freePort = { MILEPOST_WORKER_METRICS_PORT: '0' };

export async function startWorkerProcess(
  settings: Readonly<Record<string, string>>,
  program = sourceOf('work'),
): Promise<WorkerProcess> {
  const announcement = /Worker (\S+) runs callbacks \(metrics at (\S+)\)/;
  const { announced, ...started } = await startProgram(program, { ...freePort, ...settings }, announcement);
  return { ...started, name: announced[0] ?? '' };
}
