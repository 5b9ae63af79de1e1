/** The storms, as docs/explanation/reliability.md has them: in full, and as small as the gate can afford. */
import type { RareCase } from './check/rare-cases.ts';
import type { StormPlan } from './storm.ts';
import type { Size } from './tests/result.ts';

const always: RareCase[] = [
  'an outcome is unknown',
  'an answer is lost after the commit',
  'an unknown change was never made',
  'a key is replayed',
  'a move is refused',
  'a passing failure is tried again',
  'somebody waits for a lock',
];

const ofKills: RareCase[] = [
  ...always,
  'a checkpoint is signed',
  'a server is killed',
  'a worker is killed',
  'a worker is frozen',
  'a lease is lost',
  'a stale report is refused',
  'a stale run is refused',
  'a run is timed out',
  'a wait is timed out',
];

const ofTheDatabase: RareCase[] = [...always, 'a connection is ended by the database', 'the database is killed'];

const ofTheLink: RareCase[] = ['the link is slow', 'the link is reset', 'the link is dead', 'an outcome is unknown'];

const ofEnds: RareCase[] = [
  'a server is asked to end',
  'a worker is asked to end',
  'a worker is asked to end while it runs something',
];

/** Only where seconds are judged. */
const judgedReturn: RareCase = 'the return of the database is judged';

const full = { inSeconds: true, forgets: true };
const quick = { inSeconds: true, forgets: false, mustMeet: [] };
const smoke = { inSeconds: false, forgets: false };

const none = {
  kills: 0,
  freezes: 0,
  endedConnections: 0,
  databaseKills: 0,
  ends: 0,
  troubles: 0,
  withTimeouts: false,
};

/** Longer than a balancer takes to see that a server is about to end; in the smoke on a busy machine, too. */
const leave = { place: { leaveSeconds: 2 } };
const longLeave = { place: { leaveSeconds: 10 } };
const linked = { place: { linked: true } };

export const storms: Record<'kills' | 'database' | 'link' | 'sigterm', Record<Size, StormPlan>> = {
  kills: {
    full: {
      ...none,
      ...full,
      leastSeconds: 1800,
      kills: 200,
      freezes: 10,
      withTimeouts: true,
      moves: 90_000,
      unknowns: 500,
      mustMeet: ofKills,
    },
    quick: { ...none, ...quick, kills: 6, freezes: 1, forgets: true, withTimeouts: true, moves: 1000 },
    smoke: {
      ...none,
      ...smoke,
      kills: 20,
      freezes: 1,
      forgets: true,
      withTimeouts: true,
      moves: 10_000,
      mustMeet: ofKills,
    },
  },
  database: {
    full: {
      ...none,
      ...full,
      leastSeconds: 900,
      endedConnections: 500,
      databaseKills: 20,
      moves: 20_000,
      mustMeet: [...ofTheDatabase, judgedReturn, 'a checkpoint is signed'],
    },
    quick: { ...none, ...quick, endedConnections: 20, databaseKills: 3, moves: 500 },
    smoke: { ...none, ...smoke, endedConnections: 50, databaseKills: 2, moves: 1000, mustMeet: ofTheDatabase },
  },
  link: {
    full: {
      ...none,
      ...full,
      ...linked,
      leastSeconds: 600,
      troubles: 10,
      moves: 5000,
      mustMeet: [...ofTheLink, judgedReturn],
    },
    quick: { ...none, ...quick, ...linked, troubles: 1, moves: 100 },
    smoke: { ...none, ...smoke, ...linked, troubles: 1, moves: 500, mustMeet: ofTheLink },
  },
  sigterm: {
    full: { ...none, ...full, ...leave, leastSeconds: 300, ends: 50, moves: 10_000, mustMeet: ofEnds },
    quick: { ...none, ...quick, ...leave, ends: 3, moves: 100 },
    smoke: { ...none, ...smoke, ...longLeave, ends: 5, moves: 500, mustMeet: ofEnds },
  },
};
