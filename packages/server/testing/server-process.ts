/** The server as operators run it: a process of its own, told by settings, ended by a signal. */
import { sourceOf, startProgram, type ProgramProcess } from './program-process.ts';

export interface ServerProcess extends ProgramProcess {
  url: string;
  baseUrl: string;
}

const freePorts = { MILEPOST_PORT: '0', MILEPOST_METRICS_PORT: '0' };

export async function startServerProcess(
  settings: Readonly<Record<string, string>>,
  program = sourceOf('serve'),
): Promise<ServerProcess> {
  const announcement = /serves at (\S+) \(metrics at (\S+)\)/;
  const { announced, ...started } = await startProgram(program, { ...freePorts, ...settings }, announcement);
  const [url = ''] = announced;
  return { ...started, url, baseUrl: `${url}/api/v2` };
}
