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

/** A chapter `## 404 Not Found` gives the status of the codes in it, each a section `### code`. */
const entriesOf = (markdown: string): Entry[] =>
  markdown.split(/^## /m).flatMap((chapter) =>
    chapter
      .split(/^### /m)
      .slice(1)
      .map((text) => ({ code: text.split('\n', 1)[0] ?? '', status: Number.parseInt(chapter, 10), text })),
  );

const isMarked = ({ text }: Entry) => /^Not built yet: comes with .+\.$/m.test(text);

const onPage = (markdown: string) => entriesOf(markdown).map(({ code, status }) => `${code} ${status}`);
const inList = Object.entries(problemCodes).map(([code, { status }]) => `${code} ${status}`);

/** What one side has and the other has not, or has with another status. */
const differences = (markdown: string) => ({
  missing: inList.filter((line) => !onPage(markdown).includes(line)),
  unknown: onPage(markdown).filter((line) => !inList.includes(line)),
});

describe('docs/reference/errors.md', () => {
  it('has every code of the list once, with its status, and no other', () => {
    expect(differences(page)).toEqual({ missing: [], unknown: [] });
    expect(onPage(page).toSorted()).toEqual(inList.toSorted());
  });

  it.each(entriesOf(page))('says when $code happens and what to do', ({ text }) => {
    expect(text).toMatch(/^\*\*When\.\*\* .+^\*\*What to do\.\*\* /ms);
  });

  it('marks exactly those codes as not built yet that the server never gives', () => {
    const files = globSync('packages/server/src/**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
    const source = files.map((file) => readFileSync(root + file, 'utf8')).join('\n');
    const neverGiven = Object.keys(problemCodes).filter((code) => !source.includes(`'${code}'`));
    const marked = entriesOf(page).filter(isMarked);
    expect(marked.map(({ code }) => code).toSorted()).toEqual(neverGiven.toSorted());
  });
});

describe('the comparison', () => {
  it('reports a code that the page lacks', () => {
    const without = page.replace(/^### last_admin\n.*?(?=^### )/ms, '');
    expect(differences(without)).toEqual({ missing: ['last_admin 409'], unknown: [] });
  });

  it('reports a code that the list lacks', () => {
    const more = page.replace('### busy\n', '### tired\n\nNever.\n\n### busy\n');
    expect(differences(more)).toEqual({ missing: [], unknown: ['tired 503'] });
  });

  it('reports another status', () => {
    const other = page.replace('## 405 ', '## 406 ');
    expect(differences(other)).toEqual({ missing: ['method_not_allowed 405'], unknown: ['method_not_allowed 406'] });
  });
});
