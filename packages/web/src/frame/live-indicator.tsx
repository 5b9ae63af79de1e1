import type { LiveStatus } from '../live/shared-events.ts';
import { tooltip } from '../ui/tooltip.tsx';
import styles from './frame.module.css';

const texts: Record<LiveStatus, { label: string; explanation: string }> = {
  live: { label: 'Live', explanation: 'Changes appear within a second.' },
  connecting: { label: 'Connecting…', explanation: 'Live updates have not started yet.' },
  interrupted: { label: 'Not live', explanation: 'Connection lost. Reconnecting. The data may be out of date.' },
};

export function LiveIndicator({ status }: { status: LiveStatus }) {
  const { label, explanation } = texts[status];
  return (
    <span role="status" className={styles['live']} data-status={status} {...tooltip(explanation)}>
      <i aria-hidden="true" />
      <span>{label}</span>
    </span>
  );
}
