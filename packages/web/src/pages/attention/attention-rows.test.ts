import { describe, expect, it } from 'vitest';
import type { AttentionGroup, AttentionItem, RestingState } from './attention-kinds.ts';
import { keyOf, rowOf, sizeOf, withExits, withoutRetries } from './attention-rows.ts';

const group = (experiments: number, cohorts: number, kind = 'failed') =>
  ({ experiments, cohorts, callback: 'deface', title: 'No mask', example: { id: 7, kind } }) as AttentionGroup;

describe('the rows of the attention page', () => {
  it('have a group for several experiments and the item for a single one', () => {
    expect(rowOf(group(1, 1))).toEqual({ id: 7, kind: 'failed' });
    expect(rowOf(group(2, 1))).toMatchObject({ id: 7, group: { experiments: 2 } });
  });

  it('differ although their experiments came to rest at the same time', () => {
    expect(keyOf({ id: 7, experiment: { id: 1 } } as AttentionItem)).not.toBe(
      keyOf({ id: 7, experiment: { id: 2 } } as AttentionItem),
    );
  });

  it('have the next states of their state, if they are decisions', () => {
    const [decision, failed] = [
      { kind: 'decide', state: { id: 4 } } as AttentionItem,
      { kind: 'failed', state: { id: 4 } } as AttentionItem,
    ];
    const states = [{ state: { id: 4 }, exits: [{ title: 'Accept' }] }] as RestingState[];
    expect(withExits([decision, failed], states)).toEqual([{ ...decision, exits: [{ title: 'Accept' }] }, failed]);
    expect(withExits([decision], [])).toEqual([{ ...decision, exits: [] }]);
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
