/** A test of the linter's settings: they refuse what is too long, in whatever form a function is written. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { fromRoot } from './printed-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'milepost-size-limits-'));
afterAll(() => rmSync(folder, { recursive: true }));

const lines = (count: number, line: string) => `${line}\n`.repeat(count);

/** Something exported that holds a function of so many lines. */
const forms: Record<string, (count: number) => string> = {
  'a declaration': (count) => `export function f(): void {\n${lines(count - 2, '  use();')}}\n`,
  'an arrow': (count) => `export const f = (): void => {\n${lines(count - 2, '  use();')}};\n`,
  'an arrow full of comments': (count) => `export const f = (): void => {\n${lines(count - 2, '  // why')}};\n`,
  'a method of an object': (count) => `export const o = {\n  m(): void {\n${lines(count - 2, '    use();')}  },\n};\n`,
  'an async method': (count) => `export const o = {\n  async m() {\n${lines(count - 2, '    use();')}  },\n};\n`,
  'an arrow in an object': (count) =>
    `export const o = {\n  m: (): void => {\n${lines(count - 2, '    use();')}  },\n};\n`,
  'a method of a class': (count) => `export class C {\n  m(): void {\n${lines(count - 2, '    use();')}  }\n}\n`,
  'an argument of a call': (count) => `export const c = call(() => {\n${lines(count - 2, '  use();')}});\n`,
  'an arrow called at once': (count) => `export const c = (() => {\n${lines(count - 2, '  use();')}})();\n`,
};

const declarations = 'declare const use: () => void;\ndeclare const call: (f: () => void) => number;\n\n';

let planted = 0;

function plant(text: string): string {
  const file = join(folder, `${planted++}.ts`);
  writeFileSync(file, text);
  return file;
}

/** Each line is `<file>:<line>:<column>: <sentence> [Error/eslint(<rule>)]`. */
function runLinter() {
  const flags = ['-c', fromRoot('.oxlintrc.json'), '--deny-warnings', '-f', 'unix', folder];
  const { stdout, status } = spawnSync(fromRoot('node_modules/.bin/oxlint'), flags, { encoding: 'utf8' });
  const found = [...stdout.matchAll(/^(\S+\.ts):.*\[Error\/eslint\((max-lines[\w-]*)\)\]$/gm)];
  return { status, found: found.map(([, file = '', rule]) => `${basename(file)}: ${rule}`) };
}

describe('the linter', () => {
  const functions = Object.entries(forms).map(([name, form]) => ({
    name: `a function as ${name}`,
    rule: 'max-lines-per-function',
    limit: 60,
    tooLong: plant(declarations + form(61)),
    longest: plant(declarations + form(60)),
  }));
  const files = ['  1,', '  // why', ''].map((line) => ({
    name: `a file of lines such as ${JSON.stringify(line)}`,
    rule: 'max-lines',
    limit: 300,
    tooLong: plant(`export const x = [\n${lines(299, line)}];\n`),
    longest: plant(`export const x = [\n${lines(298, line)}];\n`),
  }));
  const { status, found } = runLinter();

  it.each([...functions, ...files])('refuses $name over $limit lines', ({ rule, tooLong, longest }) => {
    expect(found).toContain(`${basename(tooLong)}: ${rule}`);
    expect(found.filter((line) => line.startsWith(`${basename(longest)}:`))).toEqual([]);
  });

  it('fails when it refuses', () => {
    expect(status).toBe(1);
  });
});
