/** Compares the permissions page with the operation table: the operations of each permission, and all other lists. */
import { builtInRoles } from '../../../api/testing/callers.ts';
import { readFileSync } from 'node:fs';
import { operations, permissions, type Operation } from '@milepost/api';
import { describe, expect, it } from 'vitest';

const page = readFileSync(new URL('../../../../docs/reference/permissions.md', import.meta.url), 'utf8');

const all: [string, Operation][] = Object.entries(operations);
const namesOf = (isWanted: (operation: Operation) => boolean) =>
  all.filter(([, operation]) => isWanted(operation)).map(([name]) => name);
const hasPermission = ({ access }: Operation) => 'permission' in access;
const requiring = (permission: string) =>
  namesOf(({ access }) => 'permission' in access && access.permission === permission);

const namesIn = (text: string) => [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
const sectionOf = (markdown: string, heading: string) =>
  markdown.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';

/** Each row of the list: | `permission` | what it allows | operations | */
const rowsOf = (markdown: string) =>
  [...sectionOf(markdown, 'List of permissions').matchAll(/^\| `(\w+)` \| .+ \| (.*)\|$/gm)].map(
    ([, permission = '', listed = '']) => [permission, namesIn(listed)] as const,
  );

/** The names in the paragraph after a sentence. */
const listAfter = (sentence: string) => namesIn(page.split(`${sentence}\n\n`)[1]?.split('\n\n')[0] ?? '');

const rowOfAccess = (required: string) =>
  namesIn(page.split('\n').find((line) => line.startsWith(`| ${required} |`)) ?? '').filter(
    (name) => name in operations,
  );

describe('docs/reference/permissions.md', () => {
  it('lists every permission once, in the same order as the source code', () => {
    expect(rowsOf(page).map(([permission]) => permission)).toEqual([...permissions]);
  });

  it.each(rowsOf(page))('lists the operations that require %s', (permission, listed) => {
    expect(listed).toEqual(requiring(permission));
  });

  it.each(Object.entries(builtInRoles).filter(([role]) => role !== 'admin'))(
    'lists the permissions of the role %s',
    (role, carried) => {
      const row = page.split('\n').find((line) => line.startsWith(`| \`${role}\` |`)) ?? '';
      expect(namesIn(row)).toEqual([role, ...carried]);
    },
  );

  it.each([
    ['nothing', 'public', true],
    ['an account', 'account', true],
    ['your own account, or the permission', 'own_account', true],
    ['the secret of the execution, or any permission', 'execution', false],
    ['the secret of the execution, or the permission', 'execution', true],
  ])('lists the operations that require %s', (required, kind, named) => {
    const wanted = namesOf((one) => one.access.kind === kind && (kind !== 'execution' || hasPermission(one) === named));
    expect(rowOfAccess(required).toSorted()).toEqual(wanted.toSorted());
  });

  it('lists the operations that affect the whole installation', () => {
    const listed = listAfter('A role in a single cohort never allows them, not even `admin`:');
    expect(listed.toSorted()).toEqual(namesOf(({ installationWide }) => installationWide === true).toSorted());
  });

  it('lists the operations that no token allows', () => {
    const listed = listAfter('A token can never be used for these operations:');
    expect(listed.toSorted()).toEqual(namesOf(({ tokens }) => tokens === 'refused').toSorted());
  });
});

describe('reading the table of permissions', () => {
  it('reveals a removed operation and a misspelled permission', () => {
    const other = page.replace('| `updateAction`, ', '| ').replace('| `user_add` |', '| `user_ad` |');
    expect(rowsOf(other)[0]).toEqual(['action_update', ['updateCallbackExecution']]);
    expect(rowsOf(other).map(([permission]) => permission)).toContain('user_ad');
  });
});
