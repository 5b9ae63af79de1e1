/** The architecture as a test: the floors of ARCHITECTURE.md, no circles, and every operation of the table in its place. */
import { operations, type Operation } from '@milepost/api';
import { afterAll, describe, expect, it } from 'vitest';
import { circlesIn } from '../testing/circles.ts';
import { floorFaults, undeclared } from '../testing/floors.ts';
import { declaredDependencies, importsIn, readSources } from '../testing/imports.ts';
import { buildApp, builtOperations } from './app.ts';
import { readConfig } from './config.ts';
import { openDatabase } from './database/connection.ts';

describe('the sources', () => {
  const sources = readSources();
  const imports = importsIn(sources);

  it('are read', () => {
    expect(Object.keys(sources)).toContain('packages/api/src/index.ts');
    expect(imports).toContainEqual({ from: 'packages/server/src/app.ts', to: '@milepost/api' });
    expect(imports).toContainEqual({
      from: 'packages/server/src/bin/processes.ts',
      to: 'packages/server/src/start-server.ts',
    });
    expect(Object.keys(sources).filter((file) => file.includes('.test.'))).toEqual([]);
  });

  it('import from the floors below', () => {
    expect(floorFaults(imports)).toEqual([]);
  });

  it('have no circles', () => {
    expect(circlesIn(imports)).toEqual([]);
  });

  it('import what their package declares', () => {
    expect(undeclared(imports, declaredDependencies)).toEqual([]);
  });
});

describe('the mounted operations', () => {
  const config = readConfig({ DATABASE_URL: 'postgresql://nobody@localhost:1/none', MILEPOST_LOG_LEVEL: 'silent' });
  const database = openDatabase({ ...config, onError: () => undefined });
  const { http } = buildApp(config, database);
  afterAll(async () => {
    await http.close();
    await database.close();
  });

  it.each(Object.entries(operations))(
    '%s is mounted if it is built, and then asks who calls, unless it is open to everybody',
    async (name, operation: Operation) => {
      const { method, path } = operation;
      // Without a body where one is needed; what needs none is answered.
      const open = operation.body === undefined ? 200 : 400;
      const expected = operation.access.kind === 'public' ? open : 401;
      const url = config.basePath + path.replaceAll(/\{\w+\}/g, '1');
      const { statusCode } = await http.inject({ method, url });
      expect(statusCode === expected).toBe(name in builtOperations);
      expect([expected, 404, 405]).toContain(statusCode);
    },
  );
});

/** What a planted import is reported as. */
const faultsOf = (file: string, text: string) =>
  floorFaults(importsIn({ [file]: text })).map((fault) => fault.replace(/^.*: /, ''));

const server = (file: string) => `packages/server/src/${file}`;

describe('a planted import', () => {
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
    ['demo/rater.ts', '../engine/change-state.ts', 'demo knows the interface only'],
    ['demo/rater.ts', '../store/users.ts', 'demo knows the interface only'],
    ['utils.ts', './errors.ts', 'utils stands on no floor'],
    ['routes/cohorts.ts', '../helpers/text.ts', 'helpers stands on no floor'],
    ['app.ts', './app.test.ts', 'sources do not import tests'],
    ['app.ts', '../testing/server.ts', 'the import leaves the sources of its package'],
    ['app.ts', '../../api/src/index.ts', 'the import leaves the sources of its package'],
    ['app.ts', '../../../../elsewhere.ts', 'the import leaves the sources of its package'],
    ['app.ts', '@milepost/web', 'the package server may not know web'],
  ])('in %s of %s is reported', (file, name, fault) => {
    expect(faultsOf(server(file), `import { x } from '${name}';`)).toEqual([fault]);
  });

  it.each([
    ['packages/api/src/index.ts', '@milepost/server', 'the package api may not know server'],
    ['packages/cli/src/main.ts', '@milepost/server', 'the package cli may not know server'],
    ['packages/web/src/main.tsx', '@milepost/cli', 'the package web may not know cli'],
    ['packages/new/src/main.ts', '@milepost/api', 'the package is not known to the floors'],
  ])('in %s of %s is reported', (file, name, fault) => {
    expect(faultsOf(file, `import { x } from '${name}';`)).toEqual([fault]);
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
    expect(faultsOf(server('store/users.ts'), text)).toEqual(['store imports upward']);
  });

  it.each(['await import(`./${name}.ts`);', 'import(name)'])('that is put together as %s is reported', (text) => {
    expect(faultsOf(server('app.ts'), text)).toEqual(['imports are written out']);
  });

  it.each([
    ['bin/serve.ts', '../config.ts'],
    ['start-server.ts', './app.ts'],
    ['routes/people.ts', '../engine/create-user.ts'],
    ['store/users.ts', './roles.ts'],
    ['config.ts', './nearest-name.ts'],
    ['http/call.ts', '../store/scope.ts'],
    ['errors.ts', '@milepost/api'],
  ])('in %s of %s is fine', (file, name) => {
    expect(faultsOf(server(file), `import { x } from '${name}';`)).toEqual([]);
  });

  it('of a package that is not declared is reported', () => {
    const planted = importsIn({
      [server('app.ts')]: `import 'node:fs'; import 'pg'; import type { X } from '@a/b/c';`,
    });
    expect(undeclared(planted, () => ['pg'])).toEqual([`${server('app.ts')} -> @a/b/c`]);
  });
});

const circles = (texts: Record<string, string>) => {
  const sources = Object.entries(texts).map(([file, text]) => [server(file), text]);
  return circlesIn(importsIn(Object.fromEntries(sources))).map((circle) => circle.replaceAll(server(''), ''));
};

describe('a planted circle', () => {
  it('of three files is reported, also where one import is of a type', () => {
    const planted = {
      'store/a.ts': `import { b } from './b.ts';`,
      'store/b.ts': `import type { C } from '../database/c.ts';`,
      'database/c.ts': `export * from '../store/a.ts';`,
    };
    expect(circles(planted)).toEqual(['store/a.ts -> store/b.ts -> database/c.ts -> store/a.ts']);
  });

  it('of one file is reported', () => {
    expect(circles({ 'links.ts': `import { x } from './links.ts';` })).toEqual(['links.ts -> links.ts']);
  });

  it('behind files that are not part of it is reported once', () => {
    const planted = {
      'a.ts': `import './b.ts'; import './c.ts';`,
      'b.ts': `import './c.ts';`,
      'c.ts': `import './d.ts';`,
      'd.ts': `import './c.ts'; import 'pg';`,
    };
    expect(circles(planted)).toEqual(['c.ts -> d.ts -> c.ts']);
  });

  it('is not seen where two ways lead to one file', () => {
    expect(circles({ 'a.ts': `import './b.ts'; import './c.ts';`, 'b.ts': `import './c.ts';` })).toEqual([]);
  });
});
