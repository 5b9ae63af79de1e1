/** Latencies under a load of fixed rate: each request is sent on schedule, whether or not earlier ones were answered. */
import { setTimeout as sleep } from 'node:timers/promises';
import { readLength } from './http-client.ts';
import { median, rounded } from './result.ts';

/** Of each URL. */
const perSecond = 25;
const seconds = Number(process.env['BENCH_SECONDS'] ?? 10);
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 3);

interface Latencies {
  p50: number;
  p95: number;
}

interface Comparison {
  rounds: number[];
  detail: Record<string, number>;
}

/** The p95 of the first URL relative to that of the second in each round. The requests alternate between them. */
export async function compareLatencies(names: readonly string[], urls: readonly string[]): Promise<Comparison> {
  await measure(urls, Math.min(seconds, 5));
  const measured: Latencies[][] = [];
  for (let round = 1; round <= rounds; round++) {
    const both = (await measure(urls, seconds)).map(summarize);
    measured.push(both);
    const shown = both.map(({ p50, p95 }, n) => `${names[n]} ${p95.toFixed(1)} ms (median ${p50.toFixed(1)} ms)`);
    console.log(`round ${round}: p95 ${shown.join(', ')}`);
  }
  const ratios = measured.map(([one, other]) => (one?.p95 ?? Number.NaN) / (other?.p95 ?? Number.NaN));
  return { rounds: ratios, detail: Object.assign({}, ...names.map((name, n) => detailOf(name, measured, n))) };
}

const detailOf = (name: string, measured: readonly Latencies[][], n: number) => ({
  [`${name}, p95, ms`]: rounded(median(measured.map((both) => both[n]?.p95 ?? Number.NaN))),
  [`${name}, median, ms`]: rounded(median(measured.map((both) => both[n]?.p50 ?? Number.NaN))),
});

const summarize = (times: readonly number[]): Latencies => ({
  p50: median(times),
  p95: times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? Number.NaN,
});

/** The times of each URL in milliseconds, from when the request was due. */
function measure(urls: readonly string[], forSeconds: number): Promise<number[][]> {
  const gap = 1000 / perSecond / urls.length;
  const start = performance.now();
  return Promise.all(
    urls.map((url, n) =>
      Promise.all(
        Array.from({ length: perSecond * forSeconds }, (_, k) => timeOf(url, start + (k * urls.length + n) * gap)),
      ),
    ),
  );
}

async function timeOf(url: string, due: number): Promise<number> {
  await sleep(Math.max(0, due - performance.now()));
  // Timers are up to a millisecond late or early, which is not the server's time.
  const start = performance.now();
  await readLength(url);
  return performance.now() - start;
}
