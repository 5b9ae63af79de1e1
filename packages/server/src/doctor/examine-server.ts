/** Whether a server answers where people are told to find it, and whether it is this release. */
import type { Config } from '../config.ts';
import { isLoopback } from '../config/loopback.ts';
import { version } from '../version.ts';
import { failed, ok, warning, type Finding } from './finding.ts';

const what = 'Address';
const patienceMs = 5000;

export async function examineServer({ publicUrl, host, port }: Config): Promise<Finding> {
  if (publicUrl === undefined && port === 0) return ok(what, 'a free port at each start: nothing to ask');
  const url = publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  try {
    const response = await fetch(`${url}/-/versions`, { signal: AbortSignal.timeout(patienceMs), redirect: 'manual' });
    const answer = response.ok ? ((await response.json()) as { version?: unknown }) : {};
    return judge(url, answer.version);
  } catch {
    return warning(
      what,
      `${url} does not answer`,
      'Start the server: `milepost serve`; or correct MILEPOST_PUBLIC_URL.',
    );
  }
}

function judge(url: string, found: unknown): Finding {
  if (typeof found !== 'string') {
    return failed(
      what,
      `${url} answers, and is not Milepost`,
      'Correct MILEPOST_PUBLIC_URL, or what the proxy passes on.',
    );
  }
  if (found !== version) {
    return warning(what, `${url} is release ${found}, this is ${version}`, 'Restart the server with this release.');
  }
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || isLoopback(hostname)
    ? ok(what, `${url} answers`)
    : warning(what, `${url} carries passwords unencrypted`, 'Let a proxy end TLS in front of it.');
}
