import { describe, expect, it } from 'vitest';
import type { AttentionGroup, AttentionItem } from './attention-kinds.ts';
import { rowOf, sectionsOf, sizeOf, withoutRetries } from './attention-rows.ts';

const group = (experiments: number, cohorts: number, kind = 'failed') =>
  ({ experiments, cohorts, callback: 'deface', title: 'No mask', example: { id: 7, kind } }) as AttentionGroup;

describe('the rows of the attention page', () => {
  it('have a group for several experiments and the item for a single one', () => {
    expect(rowOf(group(1, 1))).toEqual({ id: 7, kind: 'failed' });
    expect(rowOf(group(2, 1))).toMatchObject({ id: 7, group: { experiments: 2 } });
  });

  it('are the first five of a section in the overview', () => {
    const rows = Array.from({ length: 9 }, (_, id) => ({ ...group(1, 1).example, id }));
    expect(sectionsOf(rows)(({ id }) => id > 1).map(({ id }) => id)).toEqual([2, 3, 4, 5, 6]);
  });

  it('include automatic retries only in their own tab', () => {
    const rows: Pick<AttentionItem, 'kind'>[] = [{ kind: 'failed' }, { kind: 'retrying' }];
    expect(withoutRetries(rows, undefined)).toEqual([{ kind: 'failed' }]);
    expect(withoutRetries(rows, 'retrying')).toEqual(rows);
  });

  it('name the number of experiments and cohorts', () => {
    expect(sizeOf(group(28, 3))).toBe('28 experiments in 3 cohorts');
    expect(sizeOf(group(2, 1))).toBe('2 experiments');
    expect(sizeOf(group(1000, 2))).toBe('1,000+ experiments in 2 cohorts');
  });
});
