/** Whether an external system responds, and since when it does not. */
import type { ReactNode } from 'react';
import { Outcome } from '../../status/outcome.tsx';
import { useNow } from '../../ui/now.ts';
import { count } from '../../ui/numbers.ts';
import { preciseDurationText, secondsBetween } from '../../ui/times.ts';
import { Timestamp } from '../../ui/timestamp.tsx';
import { tooltip } from '../../ui/tooltip.tsx';
import { NarrowHead } from '../../ui/unit.tsx';
import styles from './external-systems.module.css';
import type { SystemRow } from './use-external-systems.ts';

export const Sub = ({ children }: { children: ReactNode }) => <span className={styles['sub']}>{children}</span>;
export const Dash = () => <span className={styles['dash']}>–</span>;

/** In the order of sorting: problems first. */
const words = ['Unreachable', 'Not allowed', 'Not checked yet', 'Reachable', 'No URL'] as const;

const results = { unreachable: 'Unreachable', not_allowed: 'Not allowed', reachable: 'Reachable' } as const;
const icons = {
  Unreachable: 'failed',
  'Not allowed': 'blocked',
  'Not checked yet': 'queued',
  Reachable: 'success',
  'No URL': 'none',
} as const;

export function wordOf({ url, check }: SystemRow): (typeof words)[number] {
  if (url === '') return 'No URL';
  return check === null ? 'Not checked yet' : results[check.result];
}

export const statusOrder = (row: SystemRow): string => String(words.indexOf(wordOf(row)));

export function Status({ of: row }: { of: SystemRow }) {
  const word = wordOf(row);
  const since = row.check?.failing_since ?? null;
  return (
    <>
      <Outcome name={icons[word]} word={word} />
      {since === null ? null : (
        <Sub>
          <Timestamp at={since} as="for" />
        </Sub>
      )}
      {word === 'Not allowed' ? (
        <Sub>
          <span {...tooltip(row.check?.error ?? '')}>The settings of the workers do not allow this URL.</span>
        </Sub>
      ) : null}
    </>
  );
}

const latencyText = (ms: number) => (ms < 1000 ? `${count(ms)} ms` : preciseDurationText(ms / 1000));

export const Latency = ({ of: { check } }: { of: SystemRow }) =>
  check?.latency_ms == null ? <Dash /> : <>{latencyText(check.latency_ms)}</>;

/** Quiet after the system has recovered. */
export function LastError({ of: { check } }: { of: SystemRow }) {
  const [error, at] = [check?.last_error ?? null, check?.last_error_at ?? null];
  if (error === null || at === null) return <Dash />;
  return (
    <>
      <span className={check?.result === 'unreachable' ? styles['failing'] : styles['recovered']}>{error}</span>
      <Sub>
        <NarrowHead text="Last error" />
        <Timestamp at={at} />
      </Sub>
    </>
  );
}

/** Three times the interval of checks. */
const staleSeconds = 900;

export function LastChecked({ of: { check } }: { of: SystemRow }) {
  const now = useNow();
  if (check === null) return <Dash />;
  const isStale = secondsBetween(check.checked_at, now) > staleSeconds;
  return (
    <span className={isStale ? styles['stale'] : undefined}>
      <Timestamp at={check.checked_at} />
    </span>
  );
}
