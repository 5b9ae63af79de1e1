/** The plans of the storms in docs/explanation/reliability.md: full, and small enough for the gate. */
import type { RareCase } from './check/rare-cases.ts';
import type { StormPlan } from './storm.ts';
import type { Size } from './tests/result.ts';

const always: RareCase[] = [
  'outcome unknown',
  'response lost after commit',
  'unknown change never made',
  'idempotency key replayed',
  'move rejected',
  'temporary failure retried',
  'lock wait',
];

const ofKills: RareCase[] = [
  ...always,
  'checkpoint signed',
  'server killed',
  'worker killed',
  'worker frozen',
  'lease lost',
  'stale report rejected',
  'stale run rejected',
  'run timed out',
  'wait timed out',
];

const ofTheDatabase: RareCase[] = [...always, 'connection closed by the database', 'database killed'];

const ofTheLink: RareCase[] = ['link slow', 'link reset', 'link dead', 'outcome unknown'];

const ofOutages: RareCase[] = ['database outage', 'outcome unknown', 'idempotency key replayed'];

const ofShutdowns: RareCase[] = ['server shut down', 'worker shut down', 'worker shut down during a run'];

/** Required only if durations are checked. */
const evaluatedRecovery: RareCase = 'database recovery evaluated';

const full = { checkDurations: true, abandons: true };
const quick = { checkDurations: true, abandons: false, requiredCases: [] };
const smoke = { checkDurations: false, abandons: false };

const none = {
  kills: 0,
  freezes: 0,
  closedConnections: 0,
  databaseKills: 0,
  outages: 0,
  longestOutageSeconds: 0,
  shutdowns: 0,
  linkFaults: 0,
  withTimeouts: false,
};

/** Longer than a load balancer needs to notice that a server is shutting down. The smoke version also allows for a busy machine. */
const leave = { testbed: { leaveSeconds: 2 } };
const longLeave = { testbed: { leaveSeconds: 10 } };
const linked = { testbed: { linked: true } };

export const storms: Record<'kills' | 'database' | 'link' | 'outages' | 'sigterm', Record<Size, StormPlan>> = {
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
      requiredCases: ofKills,
    },
    quick: { ...none, ...quick, kills: 6, freezes: 1, abandons: true, withTimeouts: true, moves: 1000 },
    smoke: {
      ...none,
      ...smoke,
      kills: 20,
      freezes: 1,
      abandons: true,
      withTimeouts: true,
      moves: 10_000,
      requiredCases: ofKills,
    },
  },
  database: {
    full: {
      ...none,
      ...full,
      leastSeconds: 900,
      closedConnections: 500,
      databaseKills: 20,
      moves: 20_000,
      requiredCases: [...ofTheDatabase, evaluatedRecovery, 'checkpoint signed'],
    },
    quick: { ...none, ...quick, closedConnections: 20, databaseKills: 3, moves: 500 },
    smoke: { ...none, ...smoke, closedConnections: 50, databaseKills: 2, moves: 1000, requiredCases: ofTheDatabase },
  },
  link: {
    full: {
      ...none,
      ...full,
      ...linked,
      leastSeconds: 600,
      linkFaults: 10,
      moves: 5000,
      requiredCases: [...ofTheLink, evaluatedRecovery],
    },
    quick: { ...none, ...quick, ...linked, linkFaults: 1, moves: 100 },
    smoke: { ...none, ...smoke, ...linked, linkFaults: 1, moves: 500, requiredCases: ofTheLink },
  },
  outages: {
    full: {
      ...none,
      ...smoke,
      ...linked,
      outages: 30,
      longestOutageSeconds: 120,
      moves: 9000,
      requiredCases: ofOutages,
    },
    quick: { ...none, ...quick, ...linked, checkDurations: false, outages: 1, longestOutageSeconds: 5, moves: 50 },
    smoke: { ...none, ...smoke, ...linked, outages: 2, longestOutageSeconds: 25, moves: 500, requiredCases: [] },
  },
  sigterm: {
    full: { ...none, ...full, ...leave, leastSeconds: 300, shutdowns: 50, moves: 10_000, requiredCases: ofShutdowns },
    quick: { ...none, ...quick, ...leave, shutdowns: 3, moves: 100 },
    smoke: { ...none, ...smoke, ...longLeave, shutdowns: 5, moves: 500, requiredCases: ofShutdowns },
  },
};
