/** The architecture as a test: the layers of ARCHITECTURE.md, no import cycles, and every operation mounted. */
import { operations, type Operation } from '@milepost/api';
import { afterAll, describe, expect, it } from 'vitest';
import { cyclesIn } from '../testing/source/cycles.ts';
import { layerErrors, undeclared } from '../testing/source/layers.ts';
import { declaredDependencies, importsIn, readSources } from '../testing/source/imports.ts';
import { buildApp } from '../src/app.ts';
import { readConfig } from '../src/config.ts';
import { openDatabase } from '../src/database/connection.ts';

describe('the sources', () => {
  const sources = readSources();
  const imports = importsIn(sources);

  it('include several packages but no test files', () => {
    expect(Object.keys(sources)).toContain('packages/api/src/index.ts');
    expect(imports).toContainEqual({ from: 'packages/server/src/app.ts', to: '@milepost/api' });
    expect(imports).toContainEqual({
      from: 'packages/server/src/bin/processes.ts',
      to: 'packages/server/src/start-server.ts',
    });
    expect(Object.keys(sources).filter((file) => file.includes('.test.'))).toEqual([]);
  });

  it('import only from layers below', () => {
    expect(layerErrors(imports)).toEqual([]);
  });

  it('have no import cycles', () => {
    expect(cyclesIn(imports)).toEqual([]);
  });

  it('import only declared packages', () => {
    expect(undeclared(imports, declaredDependencies)).toEqual([]);
  });
});

describe('the operation', () => {
  const config = readConfig({ DATABASE_URL: 'postgresql://nobody@localhost:1/none', MILEPOST_LOG_LEVEL: 'silent' });
  const database = openDatabase({ ...config, onError: () => undefined });
  const { http } = buildApp(config, database);
  afterAll(async () => {
    await http.close();
    await database.close();
  });

  it.each(Object.entries(operations))(
    '%s is mounted, and requires authentication unless it is public',
    async (_name, operation: Operation) => {
      const { method, path } = operation;
      // The request has no body, so operations that require one return 400.
      const withoutBody = operation.body === undefined ? 200 : 400;
      const expected = operation.access.kind === 'public' ? withoutBody : 401;
      const url = config.basePath + path.replaceAll(/\{\w+\}/g, '1');
      const { statusCode } = await http.inject({ method, url });
      expect(statusCode).toBe(expected);
    },
  );
});

/** The errors reported for a file with this text. */
const errorsOf = (file: string, text: string) =>
  layerErrors(importsIn({ [file]: text })).map((error) => error.replace(/^.*: /, ''));

const server = (file: string) => `packages/server/src/${file}`;

describe('an invalid import', () => {
  it.each([
    ['store/cohorts.ts', '../routes/cohorts.ts', 'store imports upward'],
    ['database/rows.ts', '../store/cohorts.ts', 'database imports upward'],
    ['errors.ts', './http/problem.ts', 'errors imports upward'],
    ['routes/cohorts.ts', '../app.ts', 'routes imports upward'],
    ['app.ts', './bin/serve.ts', 'app imports upward'],
    ['http/mount.ts', '../engine/create-user.ts', 'http imports sideways'],
    ['engine/create-user.ts', '../http/call.ts', 'engine imports sideways'],
    ['functions/http.ts', '../engine/change-state.ts', 'functions imports sideways'],
    ['outgoing/fetch.ts', '../store/users.ts', 'outgoing imports sideways'],
    ['app.ts', './start-server.ts', 'app imports sideways'],
    ['demo/rater.ts', '../engine/change-state.ts', 'demo may only use the API'],
    ['demo/rater.ts', '../store/users.ts', 'demo may only use the API'],
    ['utils.ts', './errors.ts', 'utils is in no layer'],
    ['routes/cohorts.ts', '../helpers/text.ts', 'helpers is in no layer'],
    ['app.ts', './app.test.ts', 'sources must not import tests'],
    ['app.ts', '../testing/server.ts', 'the import leaves the sources of its package'],
    ['app.ts', '../../api/src/index.ts', 'the import leaves the sources of its package'],
    ['app.ts', '../../../../elsewhere.ts', 'the import leaves the sources of its package'],
    ['app.ts', '@milepost/web', 'the package server may not import web'],
  ])('by %s of %s is reported', (file, name, error) => {
    expect(errorsOf(server(file), `import { x } from '${name}';`)).toEqual([error]);
  });

  it.each([
    ['packages/api/src/index.ts', '@milepost/server', 'the package api may not import server'],
    ['packages/definitions/src/index.ts', '@milepost/server', 'the package definitions may not import server'],
    ['packages/web/src/main.tsx', '@milepost/server', 'the package web may not import server'],
    ['packages/definitions/src/index.ts', 'node:fs', 'the package definitions must also run in a browser'],
    ['packages/new/src/main.ts', '@milepost/api', 'the package is in no layer'],
  ])('by %s of %s is reported', (file, name, error) => {
    expect(errorsOf(file, `import { x } from '${name}';`)).toEqual([error]);
  });

  it.each([
    `import type { X } from "../http/call.ts";`,
    `import {\n  x,\n  type Y,\n} from '../http/call.ts';`,
    `import x, * as y from '../http/call.ts'`,
    `export * from '../http/call.ts';`,
    `import '../http/call.ts';`,
    `const x = await import(\n  '../http/call.ts'\n);`,
    `let x: import('../http/call.ts').X;`,
  ])('written as %j is reported', (text) => {
    expect(errorsOf(server('store/users.ts'), text)).toEqual(['store imports upward']);
  });

  it.each(['await import(`./${name}.ts`);', 'import(name)'])('with a computed path (%s) is reported', (text) => {
    expect(errorsOf(server('app.ts'), text)).toEqual(['the import path must be a literal']);
  });

  it('of an undeclared package is reported', () => {
    const imported = importsIn({
      [server('app.ts')]: `import 'node:fs'; import 'pg'; import type { X } from '@a/b/c';`,
    });
    expect(undeclared(imported, () => ['pg'])).toEqual([`${server('app.ts')} -> @a/b/c`]);
  });
});

describe('a valid import', () => {
  it.each([
    ['bin/serve.ts', '../config.ts'],
    ['start-server.ts', './app.ts'],
    ['routes/people.ts', '../engine/create-user.ts'],
    ['store/users.ts', './roles.ts'],
    ['http/call.ts', '../store/scope.ts'],
    ['errors.ts', '@milepost/api'],
  ])('by %s of %s is not reported', (file, name) => {
    expect(errorsOf(server(file), `import { x } from '${name}';`)).toEqual([]);
  });
});

const cycles = (texts: Record<string, string>) => {
  const sources = Object.entries(texts).map(([file, text]) => [server(file), text]);
  return cyclesIn(importsIn(Object.fromEntries(sources))).map((cycle) => cycle.replaceAll(server(''), ''));
};

describe('an import cycle', () => {
  it('of three files is reported, even if one import is of a type', () => {
    const sources = {
      'store/a.ts': `import { b } from './b.ts';`,
      'store/b.ts': `import type { C } from '../database/c.ts';`,
      'database/c.ts': `export * from '../store/a.ts';`,
    };
    expect(cycles(sources)).toEqual(['store/a.ts -> store/b.ts -> database/c.ts -> store/a.ts']);
  });

  it('of one file is reported', () => {
    expect(cycles({ 'links.ts': `import { x } from './links.ts';` })).toEqual(['links.ts -> links.ts']);
  });

  it('is reported once if files outside of it lead to it', () => {
    const sources = {
      'a.ts': `import './b.ts'; import './c.ts';`,
      'b.ts': `import './c.ts';`,
      'c.ts': `import './d.ts';`,
      'd.ts': `import './c.ts'; import 'pg';`,
    };
    expect(cycles(sources)).toEqual(['c.ts -> d.ts -> c.ts']);
  });

  it('is not reported if two paths lead to one file', () => {
    expect(cycles({ 'a.ts': `import './b.ts'; import './c.ts';`, 'b.ts': `import './c.ts';` })).toEqual([]);
  });
});
