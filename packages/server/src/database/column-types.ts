/** How the driver parses columns: into the same formats that responses use (docs/decisions/0002). */
import pg from 'pg';

const { builtins } = pg.types;
/** The driver names no array types. */
const int8Array = 1016;

/** `2026-11-15 08:30:00.12+00` becomes `2026-11-15T08:30:00.120Z`: always UTC with three fractional digits. */
export const timestamp = (text: string) => {
  const [date, time = ''] = text.replace(/[+-]\d\d(:\d\d)?$/, '').split(' ');
  const [clock, fraction = ''] = time.split('.');
  return `${date}T${clock}.${fraction.padEnd(3, '0').slice(0, 3)}Z`;
};

/** The scanner's wall clock: `2019-01-01 00:00:00` becomes `2019-01-01T00:00:00`. */
export const wallClock = (text: string) => text.replace(' ', 'T');

const parsers: Record<number, (text: string) => unknown> = {
  // The API guarantees that ids stay below 2^53.
  [builtins.INT8]: Number,
  [int8Array]: (text) => text.slice(1, -1).split(',').filter(Boolean).map(Number),
  [builtins.TIMESTAMPTZ]: timestamp,
  [builtins.TIMESTAMP]: wallClock,
  [builtins.DATE]: (text) => text,
};

export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    parsers[oid] ?? pg.types.getTypeParser(oid, format ?? 'text')) as pg.CustomTypesConfig['getTypeParser'],
};
