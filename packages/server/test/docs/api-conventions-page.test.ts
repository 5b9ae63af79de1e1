/** Compares the lists of operations in the API conventions with the operation table. */
import { readFileSync } from 'node:fs';
import { operations, type Operation } from '@milepost/api';
import { describe, expect, it } from 'vitest';

const page = readFileSync(new URL('../../../../docs/reference/api-conventions.md', import.meta.url), 'utf8');

const all: [string, Operation][] = Object.entries(operations);
const namesOf = (isWanted: (operation: Operation) => boolean) =>
  all.filter(([, operation]) => isWanted(operation)).map(([name]) => name);

/** The names of operations between two parts of a sentence. */
function listedBetween(start: string, end: string): string[] {
  const text = page.split(start)[1]?.split(end)[0] ?? '';
  return [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
}

/** Each row: | `operation` | `path` | default | maximum | ... | */
const limitsOnPage = [...page.matchAll(/^\| `(\w+)` \| `(\/\S+)` \| (\d+) \| (\d+) \|/gm)].map((match) =>
  match.slice(1).join(' '),
);

const limitsInCode = all.flatMap(([name, { path, query }]) => {
  const { description = '', maximum } = (query?.properties['limit'] ?? {}) as {
    description?: string;
    maximum?: number;
  };
  const [, usual] = /Default: (\d+)\./.exec(description) ?? [];
  return usual === undefined ? [] : [`${name} ${path} ${usual} ${maximum}`];
});

describe('docs/reference/api-conventions.md', () => {
  it('lists every operation with a default limit', () => {
    expect(limitsOnPage).toEqual(limitsInCode);
  });

  it('lists the operations that ignore X-Fields', () => {
    const listed = listedBetween('These operations ignore the header:', '.\n');
    expect(listed.toSorted()).toEqual(namesOf(({ masked }) => masked === false).toSorted());
  });

  it('lists the operations that support If-Match', () => {
    const listed = listedBetween('These operations support `If-Match`:', '. Other');
    expect(listed.toSorted()).toEqual(namesOf(({ version }) => version === 'checked').toSorted());
  });

  it('lists the operations that ignore Idempotency-Key', () => {
    const listed = listedBetween('these operations ignore it:', '.\n');
    expect(listed.toSorted()).toEqual(namesOf(({ idempotencyKey }) => idempotencyKey === 'ignored').toSorted());
  });
});
