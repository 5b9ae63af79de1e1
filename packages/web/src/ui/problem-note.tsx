import { Button } from '@mantine/core';
import { problemText } from '../api/problems.ts';
import { Icon } from './icon.tsx';
import styles from './placeholders.module.css';

interface Props {
  error: unknown;
  onRetry?: () => void;
}

/** Shows an error to the user. */
export function ProblemNote({ error, onRetry }: Props) {
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
      {onRetry && !calm ? <Button onClick={onRetry}>Try again</Button> : null}
    </div>
  );
}
