/** Runs the server as operators do: in its own process, configured by environment variables and stopped by a signal. */
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
  const readyPattern = /(?:running|serves) at (\S+) \(metrics at (\S+)\)/;
  const { matched, ...started } = await startProgram(program, { ...freePorts, ...settings }, readyPattern);
  const [url = ''] = matched;
  return { ...started, url, baseUrl: `${url}/api/v2` };
}
