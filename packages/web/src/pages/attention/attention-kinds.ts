import type { BodyOf } from '../../api/operation-query.ts';

export type AttentionItem = BodyOf<'listAttention'>['items'][number];
export type AttentionGroup = BodyOf<'getAttentionGroups'>['groups'][number];
export type AttentionKind = AttentionItem['kind'];
export type AttentionCounts = BodyOf<'listAttention'>['counts'];
export type RestingState = BodyOf<'listAttention'>['states'][number];

/** The tabs, most urgent first. Automatic retries come last because they need no attention yet. */
export const tabs: readonly { kind: AttentionKind; name: string }[] = [
  { kind: 'decide', name: 'To decide' },
  { kind: 'failed', name: 'Failed' },
  { kind: 'timed_out', name: 'Timed out' },
  { kind: 'waiting', name: 'Overdue' },
  { kind: 'blocked', name: 'Blocked' },
  { kind: 'retrying', name: 'Retrying' },
];

export const kindName = (kind: AttentionKind): string => tabs.find((tab) => tab.kind === kind)?.name ?? kind;

export const kindIn = (text: string | null): AttentionKind | undefined => tabs.find(({ kind }) => kind === text)?.kind;
