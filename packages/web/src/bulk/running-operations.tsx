/** The own bulk operations and imports that run, in the navigation, so that their progress is visible on every page. */
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { announceDone } from '../ui/announcements.tsx';
import { useOwnWork, type OwnWork } from './own-work.ts';
import { ResultBar } from './result-bar.tsx';
import styles from './running-operations.module.css';

const isRunning = ({ end }: OwnWork) => end === undefined;

/** Announces the end of work that ran before. */
function useEndAnnounced(own: readonly OwnWork[]): void {
  const [running, setRunning] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    for (const { key, end } of own) if (end !== undefined && running.has(key)) announceDone(end);
    const now = own.filter(isRunning).map(({ key }) => key);
    if (now.length !== running.size || now.some((key) => !running.has(key))) setRunning(new Set(now));
  }, [own, running]);
}

/** Once in the frame. The lines can be on a page twice. */
export function OperationEnds() {
  useEndAnnounced(useOwnWork());
  return null;
}

/** In the navigation, and on a narrow screen above the page. */
export function RunningOperations({ narrow = false }: { narrow?: boolean }) {
  const running = useOwnWork().filter(isRunning);
  if (running.length === 0) return null;
  return (
    <div className={styles['running']} data-narrow={narrow || undefined}>
      {running.map(({ key, path, progress, done, left }) => (
        <Link key={key} to={path}>
          {progress}
          <ResultBar good={done} refused={0} total={Math.max(1, done + left)} />
        </Link>
      ))}
    </div>
  );
}
