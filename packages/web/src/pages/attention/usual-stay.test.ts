import { describe, expect, it } from 'vitest';
import type { AttentionGroup } from './attention-kinds.ts';
import { mediansOf, usualStay, workflowsIn } from './usual-stay.ts';

const ref = (id: number) => ({ id, label: `l${id}`, uri: `/${id}` });
const row = (workflow: number, queue: string | null = null) => ({ workflow: ref(workflow), queue });

describe('workflowsIn', () => {
  it('names the first three workflows, without those of queues', () => {
    expect(workflowsIn([row(9, 'gpu'), row(4), row(2), row(4), row(7), row(1)])).toEqual([4, 2, 7]);
  });
});

describe('usualStay', () => {
  const medians = mediansOf([
    { state: ref(1), median_seconds: 108_000 },
    { state: ref(2), median_seconds: null },
  ]);
  const item = { state: ref(1), due_at: null, queue: null };

  it('is the median stay of the state', () => expect(usualStay(item, medians)).toBe(108_000));

  it('is absent if no experiment has left the state', () =>
    expect(usualStay({ ...item, state: ref(2) }, medians)).toBeUndefined());

  it('is absent beside a due time, for a queue and for a group', () => {
    expect(usualStay({ ...item, due_at: '2026-11-19T08:00:00Z' }, medians)).toBeUndefined();
    expect(usualStay({ ...item, queue: 'gpu' }, medians)).toBeUndefined();
    expect(usualStay({ ...item, group: {} as AttentionGroup }, medians)).toBeUndefined();
  });
});
