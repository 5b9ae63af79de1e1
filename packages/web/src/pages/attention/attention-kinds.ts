import type { BodyOf } from '../../api/operation-query.ts';

export type AttentionItem = BodyOf<'listAttention'>['items'][number];
export type AttentionKind = AttentionItem['kind'];

/** The tabs, in the order of urgency. What is being tried again needs nobody yet. */
export const tabs: readonly { kind: AttentionKind; name: string }[] = [
  { kind: 'failed', name: 'Failed' },
  { kind: 'timed_out', name: 'Timed out' },
  { kind: 'waiting', name: 'Waiting too long' },
  { kind: 'blocked', name: 'Blocked' },
  { kind: 'retrying', name: 'Retrying' },
];

export const kindIn = (text: string | null): AttentionKind | undefined => tabs.find(({ kind }) => kind === text)?.kind;
