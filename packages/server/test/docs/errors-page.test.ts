import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { problemCodes } from '@milepost/api';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const page = readFileSync(`${root}docs/reference/errors.md`, 'utf8');

interface Entry {
  code: string;
  status: number;
  text: string;
}

/** The heading `## 404 Not Found` gives the status of the codes below it, each in a section `### code`. */
const entriesOf = (markdown: string): Entry[] =>
  markdown.split(/^## /m).flatMap((chapter) =>
    chapter
      .split(/^### /m)
      .slice(1)
      .map((text) => ({ code: text.split('\n', 1)[0] ?? '', status: Number.parseInt(chapter, 10), text })),
  );

const onPage = (markdown: string) => entriesOf(markdown).map(({ code, status }) => `${code} ${status}`);
const inList = Object.entries(problemCodes).map(([code, { status }]) => `${code} ${status}`);

/** Codes that are only on one side, or have another status. */
const differences = (markdown: string) => ({
  missing: inList.filter((line) => !onPage(markdown).includes(line)),
  unknown: onPage(markdown).filter((line) => !inList.includes(line)),
});

describe('docs/reference/errors.md', () => {
  it('lists every code exactly once, with its status', () => {
    expect(differences(page)).toEqual({ missing: [], unknown: [] });
    expect(onPage(page).toSorted()).toEqual(inList.toSorted());
  });

  it.each(entriesOf(page))('says when $code happens and what to do', ({ text }) => {
    expect(text).toMatch(/^\*\*When\.\*\* .+^\*\*What to do\.\*\* /ms);
  });

  it('lists no code that the server never returns', () => {
    const files = globSync('packages/server/src/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
    const source = files.map((file) => readFileSync(root + file, 'utf8')).join('\n');
    expect(Object.keys(problemCodes).filter((code) => !source.includes(`'${code}'`))).toEqual([]);
  });
});

describe('the comparison of the errors page with the code', () => {
  it('reports a code that is missing on the page', () => {
    const without = page.replace(/^### last_admin\n.*?(?=^### )/ms, '');
    expect(differences(without)).toEqual({ missing: ['last_admin 409'], unknown: [] });
  });

  it('reports an unknown code on the page', () => {
    const more = page.replace('### busy\n', '### tired\n\nNever.\n\n### busy\n');
    expect(differences(more)).toEqual({ missing: [], unknown: ['tired 503'] });
  });

  it('reports a different status', () => {
    const other = page.replace('## 405 ', '## 406 ');
    expect(differences(other)).toEqual({ missing: ['method_not_allowed 405'], unknown: ['method_not_allowed 406'] });
  });
});
