/** Runs a worker as operators do: in its own process, configured by environment variables and stopped by a signal. */
import { sourceOf, startProgram, type ProgramProcess } from './program-process.ts';

export interface WorkerProcess extends ProgramProcess {
  /** The name in the `worker` field of its attempts. */
  name: string;
}

const freePort = { MILEPOST_WORKER_METRICS_PORT: '0' };

export async function startWorkerProcess(
  settings: Readonly<Record<string, string>>,
  program = sourceOf('work'),
): Promise<WorkerProcess> {
  const readyPattern = /Worker (\S+) (?:is running|runs callbacks) \(metrics at (\S+)\)/;
  const { matched, ...started } = await startProgram(program, { ...freePort, ...settings }, readyPattern);
  return { ...started, name: matched[0] ?? '' };
}
