import { Button } from '@mantine/core';
import { isFilterError, problemText } from '../api/problems.ts';
import { Icon } from './icon.tsx';
import styles from './placeholders.module.css';

interface Props {
  error: unknown;
  onRetry?: (() => void) | undefined;
  /** Shown instead of a retry if the server rejected a filter. */
  onClearFilters?: (() => void) | undefined;
}

/** Shows an error to the user. */
export function ProblemNote({ error, onRetry, onClearFilters }: Props) {
  const { kind, title, detail, requestId } = problemText(error);
  const calm = kind === 'forbidden' || kind === 'missing';
  return (
    <div role="alert" className={styles['problem']} data-calm={calm || undefined}>
      <p className={styles['title']}>
        <Icon name={calm ? 'blocked' : 'failed'} /> {title}
      </p>
      <p className={styles['detail']}>{detail}</p>
      {requestId === undefined ? null : (
        <p className={styles['request']}>
          Request ID <code>{requestId}</code>
        </p>
      )}
      {calm ? null : <Remedy error={error} onRetry={onRetry} onClearFilters={onClearFilters} />}
    </div>
  );
}

function Remedy({ error, onRetry, onClearFilters }: Props) {
  if (onClearFilters && isFilterError(error)) return <Button onClick={onClearFilters}>Clear filters</Button>;
  return onRetry ? <Button onClick={onRetry}>Try again</Button> : null;
}
