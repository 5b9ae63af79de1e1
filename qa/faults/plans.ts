/** The storms, as docs/reliability.md has them: in full, and as small as CI can afford. */
import type { RareCase } from './check/rare-cases.ts';
import type { StormPlan } from './storm.ts';
import type { Size } from './tests/result.ts';

const always: RareCase[] = [
  'an outcome is unknown',
  'an unknown change was never made',
  'a key is replayed',
  'a move is refused',
  'a passing failure is tried again',
  'somebody waits for a lock',
];

/** One is signed each minute. */
const signed: RareCase = 'a checkpoint is signed';

const lostAnswer: RareCase = 'an answer is lost after the commit';

const ofKills: RareCase[] = [
  ...always,
  lostAnswer,
  signed,
  'a server is killed',
  'a worker is killed',
  'a worker is frozen',
  'a lease is lost',
  'a stale report is refused',
  'a stale run is refused',
  'a run is timed out',
  'a wait is timed out',
];

const ofTheDatabase: RareCase[] = [
  ...always,
  'a connection is ended by the database',
  'the database is killed',
  'the return of the database is judged',
];

/** A connection that breaks rarely does so between the commit and its answer: fifty of them met it once or not at all. */
const ofTheDatabaseInFull: RareCase[] = [...ofTheDatabase, lostAnswer, signed];

const ofTheLink: RareCase[] = [
  'the link is slow',
  'the link is reset',
  'the link is dead',
  'an outcome is unknown',
  'the return of the database is judged',
];

const ofEnds: RareCase[] = ['a server is asked to end', 'a worker is asked to end'];

/** Of five, not every time one runs something at that moment. */
const ofEndsInFull: RareCase[] = [...ofEnds, 'a worker is asked to end while it runs something'];

const none = {
  kills: 0,
  freezes: 0,
  endedConnections: 0,
  databaseKills: 0,
  ends: 0,
  troubles: 0,
  withTimeouts: false,
};

export const storms: Record<'kills' | 'database' | 'link' | 'sigterm', Record<Size, StormPlan>> = {
  kills: {
    full: {
      ...none,
      seconds: 1800,
      kills: 200,
      freezes: 10,
      withTimeouts: true,
      moves: 90_000,
      unknowns: 500,
      mustMeet: ofKills,
    },
    quick: { ...none, seconds: 20, kills: 6, moves: 1000, mustMeet: [] },
    smoke: { ...none, seconds: 60, kills: 20, freezes: 1, withTimeouts: true, moves: 10_000, mustMeet: ofKills },
  },
  database: {
    full: {
      ...none,
      seconds: 900,
      endedConnections: 500,
      databaseKills: 20,
      moves: 20_000,
      mustMeet: ofTheDatabaseInFull,
    },
    quick: { ...none, seconds: 25, endedConnections: 20, databaseKills: 3, moves: 500, mustMeet: [] },
    smoke: { ...none, seconds: 30, endedConnections: 50, databaseKills: 2, moves: 1000, mustMeet: ofTheDatabase },
  },
  link: {
    full: { ...none, seconds: 600, troubles: 10, moves: 5000, place: { linked: true }, mustMeet: ofTheLink },
    quick: { ...none, seconds: 45, troubles: 1, moves: 100, place: { linked: true }, mustMeet: [] },
    smoke: { ...none, seconds: 45, troubles: 1, moves: 500, place: { linked: true }, mustMeet: ofTheLink },
  },
  sigterm: {
    full: { ...none, seconds: 300, ends: 50, moves: 10_000, place: { balanced: true }, mustMeet: ofEndsInFull },
    quick: { ...none, seconds: 15, ends: 3, moves: 100, place: { balanced: true }, mustMeet: [] },
    smoke: { ...none, seconds: 20, ends: 5, moves: 500, place: { balanced: true }, mustMeet: ofEnds },
  },
};
