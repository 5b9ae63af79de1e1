/**
 * The layers of ARCHITECTURE.md: each module of the server imports only from layers below its own and from itself, and a package
 * imports only the packages that it depends on.
 */
import { isTest, dynamicImport, type Import } from './imports.ts';

/** From top to bottom. */
const layers = [
  ['index'],
  ['bin'],
  ['app', 'start-server', 'start-worker', 'tasks'],
  ['routes', 'work', 'demo', 'doctor'],
  ['http', 'engine', 'functions'],
  ['store', 'jobs', 'outgoing'],
  [
    'causes',
    'chain',
    'database',
    'config',
    'cut-text',
    'errors',
    'validation',
    'links',
    'breached-passwords',
    'passwords',
    'redact',
    'started-parts',
    'tracing',
    'limit-concurrency',
    'version',
  ],
];

/** Modules of one layer do not import each other, with these exceptions. In the lowest layer, all may. */
const exceptions = new Set(['start-server -> app', 'start-worker -> tasks', 'store -> jobs']);

/** Modules that use the server through its API, and import only from the lowest layer. */
const apiClients = new Set(['demo']);

const packagesBelow: Record<string, readonly string[]> = {
  api: [],
  definitions: ['api'],
  server: ['api', 'definitions'],
  web: ['api', 'definitions'],
  cli: ['api', 'definitions'],
  milepost: ['api', 'definitions', 'server', 'web', 'cli'],
};

interface Location {
  package: string;
  /** The folder in src, or the file without its extension. */
  module: string;
}

function locationOf(file: string): Location | undefined {
  const [, name, module] = /^packages\/([^/]+)\/src\/([^/.]+)/.exec(file) ?? [];
  return name === undefined || module === undefined ? undefined : { package: name, module };
}

const layerOf = (module: string): number => layers.findIndex((modules) => modules.includes(module));

function moduleError(from: string, to: string): string | undefined {
  const [upper, lower] = [layerOf(from), layerOf(to)];
  if (upper === -1 || lower === -1) return `${upper === -1 ? from : to} is in no layer`;
  if (apiClients.has(from) && from !== to && lower < layers.length - 1) return `${from} may only use the API`;
  if (upper < lower || from === to || lower === layers.length - 1) return undefined;
  if (upper > lower) return `${from} imports upward`;
  return exceptions.has(`${from} -> ${to}`) ? undefined : `${from} imports sideways`;
}

/** Packages whose sources use nothing of Node, so that pages can use them. */
const portable = new Set(['api', 'definitions']);

function packageError({ package: name }: Location, to: string): string | undefined {
  if (portable.has(name) && to.startsWith('node:')) return `the package ${name} must also run in a browser`;
  const [, other] = /^@milepost\/([^/]+)/.exec(to) ?? [];
  if (other === undefined || packagesBelow[name]?.includes(other)) return undefined;
  return `the package ${name} may not import ${other}`;
}

function fileError(from: Location, to: string): string | undefined {
  const location = locationOf(to);
  if (isTest(to)) return 'sources must not import tests';
  if (location?.package !== from.package) return 'the import leaves the sources of its package';
  return from.package === 'server' ? moduleError(from.module, location.module) : undefined;
}

function errorOf({ from, to }: Import): string | undefined {
  const location = locationOf(from);
  if (!location || !(location.package in packagesBelow)) return 'the package is in no layer';
  if (to.startsWith(dynamicImport)) return 'the import path must be a literal';
  return /^(?:packages\/|\.\.)/.test(to) ? fileError(location, to) : packageError(location, to);
}

export const layerErrors = (imports: readonly Import[]): string[] =>
  imports.flatMap((one) => {
    const error = errorOf(one);
    return error === undefined ? [] : [`${one.from} -> ${one.to}: ${error}`];
  });

/** Third-party packages that are imported without being declared. They would be missing in an installation. */
export const undeclared = (imports: readonly Import[], declared: (name: string) => readonly string[]): string[] =>
  imports
    .filter(({ to }) => !/^(?:packages\/|\.\.|node:)/.test(to) && !to.startsWith(dynamicImport))
    .filter(({ from, to }) => !declared(locationOf(from)?.package ?? '').includes(packageName(to)))
    .map(({ from, to }) => `${from} -> ${to}`);

const packageName = (to: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(to)?.[0] ?? to;
