/** Why a run failed: what was said about it first, and the error with its status code after it. */
import styles from './cause.module.css';

interface Failed {
  cause: string | null;
  error: string | null;
}

/** The error, unless it is the cause itself. */
export const errorBeside = ({ cause, error }: Failed): string | null =>
  error === null || cause === null || error.startsWith(cause.replace(/[.…]$/, '')) ? null : error;

const statusIn = /^Unexpected (response|exit code): (-?\d+)/;

/** `status 422` or `exit code 1` for a line with little space. Other errors are unchanged. */
export function shortError(error: string): string {
  const [, kind, status] = statusIn.exec(error) ?? [];
  return kind === undefined ? error : `${kind === 'response' ? 'status' : kind} ${status}`;
}

export function Cause({ cause, error }: Failed) {
  const shown = cause ?? error;
  if (shown === null) return null;
  const beside = errorBeside({ cause, error });
  return (
    <div className={styles['cause']}>
      <p dir="auto">{shown}</p>
      {beside === null ? null : (
        <p className={styles['error']} dir="auto">
          {beside}
        </p>
      )}
    </div>
  );
}
