/**
 * The floors of the house: who may import whom. Each room of the server imports from the floors below its own and from
 * itself, and a package imports the packages it is made for.
 */
import { isTest, unreadable, type Import } from './imports.ts';

/** From the roof to the ground. */
const floors = [
  ['index'],
  ['bin'],
  ['app', 'start-server', 'start-worker', 'tasks'],
  ['routes', 'work', 'demo', 'doctor'],
  ['http', 'engine', 'functions'],
  ['store', 'jobs', 'outgoing'],
  [
    'chain',
    'database',
    'config',
    'errors',
    'validation',
    'links',
    'breached-passwords',
    'passwords',
    'nearest-name',
    'redact',
    'started-parts',
    'take-turns',
    'version',
  ],
];

/** Rooms of one floor do not import each other, but for these; on the ground floor all may. */
const doors = new Set(['start-server -> app', 'start-worker -> tasks', 'store -> jobs']);

/** Rooms that use the server as strangers would, through its interface: of the house they know the ground floor only. */
const strangers = new Set(['demo']);

const packagesBelow: Record<string, readonly string[]> = {
  api: [],
  server: ['api'],
  cli: ['api'],
  web: ['api'],
  milepost: ['api', 'cli', 'server', 'web'],
};

interface Place {
  package: string;
  /** Below src: the folder, or the file without its ending. */
  room: string;
}

function placeOf(file: string): Place | undefined {
  const [, name, room] = /^packages\/([^/]+)\/src\/([^/.]+)/.exec(file) ?? [];
  return name === undefined || room === undefined ? undefined : { package: name, room };
}

const floorOf = (room: string): number => floors.findIndex((rooms) => rooms.includes(room));

function roomFault(from: string, to: string): string | undefined {
  const [upper, lower] = [floorOf(from), floorOf(to)];
  if (upper === -1 || lower === -1) return `${upper === -1 ? from : to} stands on no floor`;
  if (strangers.has(from) && from !== to && lower < floors.length - 1) return `${from} knows the interface only`;
  if (upper < lower || from === to || lower === floors.length - 1) return undefined;
  if (upper > lower) return `${from} imports upward`;
  return doors.has(`${from} -> ${to}`) ? undefined : `${from} imports sideways`;
}

function packageFault({ package: name }: Place, to: string): string | undefined {
  const [, other] = /^@milepost\/([^/]+)/.exec(to) ?? [];
  if (other === undefined || packagesBelow[name]?.includes(other)) return undefined;
  return `the package ${name} may not know ${other}`;
}

function fileFault(from: Place, to: string): string | undefined {
  const place = placeOf(to);
  if (isTest(to)) return 'sources do not import tests';
  if (place?.package !== from.package) return 'the import leaves the sources of its package';
  return from.package === 'server' ? roomFault(from.room, place.room) : undefined;
}

function faultOf({ from, to }: Import): string | undefined {
  const place = placeOf(from);
  if (!place || !(place.package in packagesBelow)) return 'the package is not known to the floors';
  if (to.startsWith(unreadable)) return 'imports are written out';
  return /^(?:packages\/|\.\.)/.test(to) ? fileFault(place, to) : packageFault(place, to);
}

export const floorFaults = (imports: readonly Import[]): string[] =>
  imports.flatMap((one) => {
    const fault = faultOf(one);
    return fault === undefined ? [] : [`${one.from} -> ${one.to}: ${fault}`];
  });

/** Packages of others that are imported without being declared: they would be missing where ours is installed. */
export const undeclared = (imports: readonly Import[], declared: (name: string) => readonly string[]): string[] =>
  imports
    .filter(({ to }) => !/^(?:packages\/|\.\.|node:)/.test(to) && !to.startsWith(unreadable))
    .filter(({ from, to }) => !declared(placeOf(from)?.package ?? '').includes(packageName(to)))
    .map(({ from, to }) => `${from} -> ${to}`);

const packageName = (to: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(to)?.[0] ?? to;
