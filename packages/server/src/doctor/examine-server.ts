/** Checks that a server of this version, with this database, responds at the public URL. */
import type { Config } from '../config.ts';
import { isLoopback } from '../config/loopback.ts';
import { version } from '../version.ts';
import { failed, ok, warning, type Finding } from './finding.ts';

const check = 'Public URL';
const timeoutMs = 5000;

/** `installation` is undefined if the database did not respond. */
export async function examineServer(
  { publicUrl, host, port }: Config,
  installation: string | undefined,
): Promise<Finding> {
  if (publicUrl === undefined && port === 0) return ok(check, 'not checked, because each start uses a free port');
  const url = publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  try {
    const response = await fetch(`${url}/-/versions`, { signal: AbortSignal.timeout(timeoutMs), redirect: 'manual' });
    const body = response.ok ? ((await response.json()) as Versions) : {};
    return judge(url, body, installation);
  } catch {
    return warning(
      check,
      `${url} does not respond`,
      'Start the server with `milepost serve`, or correct MILEPOST_PUBLIC_URL.',
    );
  }
}

interface Versions {
  version?: unknown;
  installation?: unknown;
}

function judge(url: string, { version: found, installation: other }: Versions, installation?: string): Finding {
  if (typeof found !== 'string') {
    return failed(
      check,
      `${url} responds, but is not Milepost`,
      'Correct MILEPOST_PUBLIC_URL or the proxy configuration.',
    );
  }
  if (typeof other === 'string' && installation !== undefined && other !== installation) {
    return failed(
      check,
      `${url} is another installation, with another database`,
      'Correct MILEPOST_PUBLIC_URL or DATABASE_URL.',
    );
  }
  if (found !== version) {
    return warning(
      check,
      `${url} runs version ${found}, but this is version ${version}`,
      'Restart the server with this version.',
    );
  }
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || isLoopback(hostname)
    ? ok(check, `${url} responds`)
    : warning(check, `${url} transmits passwords unencrypted`, 'Terminate TLS at a reverse proxy.');
}
