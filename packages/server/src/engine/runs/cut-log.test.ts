import { expect, it } from 'vitest';
import { cutLog } from './cut-log.ts';

it.each([
  ['empty', ''],
  ['short', 'all well'],
  ['exactly 1 MiB long', 'x'.repeat(1024 * 1024)],
])('cutLog does not change a log that is %s', (_name, log) => {
  expect(cutLog(log)).toBe(log);
});

it.each([
  ['one byte too long', `${'x'.repeat(1024 * 1024)}!`],
  ['full of multi-byte characters', `first ${'🧠'.repeat(600_000)} last!`],
])('cutLog shortens a log to 1 MiB and keeps its start and end if the log is %s', (_name, log) => {
  const cut = cutLog(log);
  expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(1024 * 1024);
  expect(Buffer.byteLength(cut)).toBeGreaterThan(1024 * 1024 - 20);
  expect(cut).toContain('\n[... cut here ...]\n');
  expect(cut.at(0)).toBe(log.at(0));
  expect(cut.at(-1)).toBe('!');
  expect(cut).not.toContain('\uFFFD');
});
