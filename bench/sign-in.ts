/**
 * `npm run bench -- sign-in`: whether response times reveal which accounts exist. Sign-ins with an unknown user and with a
 * wrong password alternate, one at a time, and so do password resets of unknown and known users. BENCH_PAIRS sets the number of
 * pairs.
 */
import { basic } from '@milepost/api';
import { withDatabase } from './database.ts';
import { limitOf, measureUse } from './limit.ts';
import { median, rounded, type Row } from './result.ts';
import { withServer } from './server.ts';

const pairs = Number(process.env['BENCH_PAIRS'] ?? 1000);
const warmUp = 20;
const goalMs = 5;
const resamples = 1000;

export const benchSignIn = (): Promise<Row[]> =>
  withDatabase(({ appUrl, ownerUrl, pid }) =>
    withServer(
      {
        DATABASE_URL: appUrl,
        MILEPOST_SIGN_IN_FAILURES: '1000000',
        MILEPOST_TRUSTED_PROXIES: '127.0.0.1',
        MILEPOST_PUBLIC_URL: 'https://milepost.example.org',
        MILEPOST_SMTP_URL: 'smtp://127.0.0.1:25',
        MILEPOST_MAIL_FROM: 'milepost@example.org',
      },
      async ({ baseUrl, pid: node }) => {
        const { result, use } = await measureUse(ownerUrl, { Node: node, PostgreSQL: pid }, async () => [
          await compare('sign-in, unknown user and wrong password', (login, n) => trySignIn(baseUrl, login, n)),
          await compare('password reset, unknown and known user', (login, n) => requestReset(baseUrl, login, n)),
        ]);
        return result.map((row) => ({ ...row, limit: limitOf([use]) }));
      },
    ),
  );

const known = 'admin';
const unknown = 'nobod';

type Try = (login: string, number: number) => Promise<void>;

async function trySignIn(baseUrl: string, login: string, number: number): Promise<void> {
  const headers = { authorization: basic(login, `wrong password ${number}`) };
  await expectStatus(await fetch(`${baseUrl}/session`, { headers }), 401);
}

/** Each request comes from its own address, because an address may request five resets per name. */
async function requestReset(baseUrl: string, login: string, number: number): Promise<void> {
  const address = `10.${[16, 8, 0].map((bits) => (number >> bits) & 255).join('.')}`;
  const headers = { 'content-type': 'application/json', 'x-forwarded-for': address };
  const body = JSON.stringify({ login });
  await expectStatus(await fetch(`${baseUrl}/password-resets`, { method: 'POST', headers, body }), 202);
}

async function expectStatus(response: Response, status: number): Promise<void> {
  await response.text();
  if (response.status !== status) throw new Error(`Unexpected response: ${response.status} (expected ${status})`);
}

/** The order alternates from pair to pair. */
async function compare(name: string, attempt: Try): Promise<Omit<Row, 'limit'>> {
  const times: Record<string, number[]> = { [known]: [], [unknown]: [] };
  for (let n = -warmUp; n < pairs; n++) {
    const order = n % 2 === 0 ? [known, unknown] : [unknown, known];
    for (const [index, login] of order.entries()) {
      const start = performance.now();
      await attempt(login, 2 * (n + warmUp) + index);
      if (n >= 0) times[login]?.push(performance.now() - start);
    }
  }
  const [ofKnown = [], ofUnknown = []] = [times[known], times[unknown]];
  const difference = median(ofUnknown) - median(ofKnown);
  const error = standardError(ofKnown, ofUnknown);
  console.log(
    `${name}, ${pairs} pairs: medians ${median(ofUnknown).toFixed(2)} ms (unknown) and ${median(ofKnown).toFixed(2)} ms ` +
      `(known), difference ${difference.toFixed(3)} ms, standard error ${error.toFixed(3)} ms`,
  );
  const figure = rounded(Math.abs(difference));
  const met = figure < goalMs || figure <= 3 * error;
  return { name, goal: goalMs, figure, unit: 'ms between the medians', spread: rounded(error), met };
}

const resampledMedian = (values: readonly number[]): number =>
  median(values.map(() => values[Math.floor(Math.random() * values.length)] ?? 0));

/** The standard error of the difference of the medians, by bootstrap resampling. */
function standardError(one: readonly number[], other: readonly number[]): number {
  const differences = Array.from({ length: resamples }, () => resampledMedian(other) - resampledMedian(one));
  const mean = differences.reduce((sum, value) => sum + value, 0) / resamples;
  return Math.sqrt(differences.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (resamples - 1));
}
