import { describe, expect, it } from 'vitest';
import { asCause } from './find-cause.ts';
import { groupKey, withoutValues } from './group-cause.ts';

/** A generator with a fixed seed (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const next = random(Number(process.env['MILEPOST_TEST_SEED'] ?? 21));
const whole = (below: number) => Math.floor(next() * below);
const pick = <T>(all: readonly T[]): T => all[whole(all.length)] as T;
const hex = (length: number) => Array.from({ length }, () => pick('0123456789abcdef'.split(''))).join('');

const number = () => pick([whole(10), whole(1000), whole(1e6), Number((next() * 100).toFixed(2))]);
const count = () => 1 + whole(40);
const label = () => `${pick(['MC', 'YO', 'HA'])}-${String(whole(9999)).padStart(4, '0')}-month-${whole(36)}`;
const uid = () => `1.2.840.${whole(99_999)}.${whole(999)}.${whole(9_999_999)}`;
const uuid = () => `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`;
const path = () =>
  pick(['/scratch', '/data/archive', '/mnt/anna/bids', './work', 'C:\\export']) +
  pick(['/', '/sub-', '/run_']) +
  pick([hex(6), label(), `${whole(99)}/anat/T1w.nii.gz`, `${whole(9)}/${hex(4)}.dcm`]);
const file = () =>
  `${pick(['scan', 'series', 'image', 'brain'])}${pick(['', `_${whole(99)}`])}.${pick(['nii', 'dcm'])}`;
const day = () => `2026-${String(1 + whole(12)).padStart(2, '0')}-${String(1 + whole(28)).padStart(2, '0')}`;
const clock = () => `${String(whole(24)).padStart(2, '0')}:${String(whole(60)).padStart(2, '0')}:17`;
const date = () =>
  pick([
    day(),
    `${day()}T${clock()}Z`,
    `${day()} ${clock()},123`,
    `${whole(28)} November 2026`,
    `Tue Nov ${whole(28)} ${clock()} 2026`,
  ]);
const name = () => pick(['Anna', 'B. Jones', 'O’Hara', 'Lind Jonas', 'x y z']);
const quoted = () => pick([`'${name()}'`, `"${name()}"`, `"${label()}"`, `\`${hex(5)}\``, `“${name()}”`]);
const host = () => pick([`node${whole(99)}`, `hpc-${whole(99)}.example.org`, `10.0.${whole(255)}.${whole(255)}`]);
const url = () =>
  `https://xnat.example.org/data/experiments/${label()}${pick(['', `?format=${pick(['json', 'xml'])}`])}`;
const size = () => `${number()} ${pick(['GB', 'MB', 'bytes', 'KiB'])}`;
const plural = (noun: string) => {
  const of = count();
  return `${of} ${noun}${of === 1 ? '' : 's'}`;
};
const list = () => Array.from({ length: 1 + whole(4) }, () => whole(30)).join(', ');

const kinds: readonly (() => string)[] = [
  () => `A name is burned into the pixels of series ${count()}`,
  () => `A date is burned into the pixels of series ${count()}`,
  () => `The session is locked in the archive until ${date()}`,
  () => `Private tag (${hex(4)},${hex(4)}) is not on the allow list`,
  () => `No space left on ${path()}`,
  () => `OSError: [Errno 28] No space left on device: '${path()}'`,
  () => `ValueError: Series ${count()} has no slices`,
  () => `Series ${list()} incomplete: ${plural('slice')} missing`,
  () => `Cannot open ${path()}: permission denied`,
  () => `Cannot open ${path()}: no such file or directory`,
  () => `Subject ${label()} does not exist in project ${quoted()}`,
  () => `Experiment ${label()} already exists (${uuid()})`,
  () => `Study ${uid()} is archived on tape`,
  () => `Study ${uid()} was deleted on ${date()}`,
  () => `Motion of ${number()} mm exceeds the limit of ${number()} mm`,
  () => `Connection to ${host()} refused after ${plural('attempt')}`,
  () => `GET ${url()} returned ${pick([500, 502, 503])}`,
  () => `PUT ${url()} returned ${pick([500, 502, 503])}`,
  () => `Out of memory: needed ${size()}, had ${size()}`,
  () => `Job ${count()}${whole(9999)} was killed on ${host()} at ${date()}`,
  () => `Checksum ${hex(40)} of ${file()} does not match ${hex(40)}`,
  () => `Field ${quoted()} is required`,
  () => `Field ${quoted()} must be a number`,
  () => `User ${pick(['a.b', 'c'])}@example.org has no quota left (${size()})`,
  () => `Segmentation fault at 0x${hex(12)} in ${quoted()}`,
];

describe('groupKey', () => {
  it('groups 2,000 failures of 25 kinds into these kinds', () => {
    const failures = Array.from({ length: 2000 }, (_none, index) => {
      const kind = index % kinds.length;
      return { kind, cause: asCause((kinds[kind] as () => string)()) };
    });
    const keys = Map.groupBy(failures, ({ cause }) => groupKey(cause));
    const mixed = [...keys.values()].filter((group) => new Set(group.map(({ kind }) => kind)).size > 1);
    expect(mixed.map((group) => group.slice(0, 2))).toEqual([]);
    const split = Map.groupBy([...keys.values()], ([first]) => first?.kind ?? -1);
    expect(
      [...split.values()].filter((groups) => groups.length > 1).map((groups) => groups.map(([one]) => one?.cause)),
    ).toEqual([]);
    expect(keys.size).toBe(25);
  });

  it.for([
    ['1 slice is missing', '12 slices is missing'],
    ['Cannot open a.nii.', 'cannot open b.nii'],
    ['Series 1, 2 and 5 differ', 'Series 7 differ'],
    ["The subject's label 'A' is taken", "The subject's label 'B C' is taken"],
  ])('does not distinguish %j', ([one = '', other = '']) => {
    expect(groupKey(one)).toBe(groupKey(other));
  });

  it.for([
    ["Can't read the header", "Can't read the image"],
    ['The T1 series is missing from the session', 'The sidecar is missing from the session'],
  ])('distinguishes %j', ([one = '', other = '']) => {
    expect(groupKey(one)).not.toBe(groupKey(other));
  });
});

describe('withoutValues', () => {
  it.for([
    ['A name is burned into the pixels of series 1', 'A name is burned into the pixels of series …'],
    ['Private tag (0029,1020) is not on the allow list', 'Private tag … is not on the allow list'],
    ["Can't open '/scratch/a b/1.nii': no such file", "Can't open …: no such file"],
    ['The session is locked in the archive and/or moved', 'The session is locked in the archive and/or moved'],
  ])('shows %j as %j', ([cause = '', shown = '']) => {
    expect(withoutValues(cause)).toBe(shown);
  });
});
