/** What uses an external system: callbacks, and the IDs of subjects and experiments. */
import { paths } from '../../paths.ts';
import { NameLink } from '../../ui/name.tsx';
import { count } from '../../ui/numbers.ts';
import { callbacksText, idsText } from './system-use-texts.ts';
import { Sub } from './system-status.tsx';
import styles from './external-systems.module.css';
import type { SystemRow } from './use-external-systems.ts';

export function Uses({ of: row }: { of: SystemRow }) {
  const ids = idsText(row);
  if (row.callbacks.count === 0)
    return ids === undefined ? <span className={styles['recovered']}>No callbacks or IDs</span> : ids;
  return (
    <>
      <details className={styles['uses']}>
        <summary>{callbacksText(row.callbacks)}</summary>
        <Callbacks of={row} />
      </details>
      {ids === undefined ? null : <Sub>{ids}</Sub>}
    </>
  );
}

function Callbacks({ of: { callbacks } }: { of: SystemRow }) {
  const more = callbacks.count - callbacks.first.length;
  return (
    <ul className={styles['callbacks']}>
      {callbacks.first.map(({ callback, state, workflow }) => (
        <li key={callback.id}>
          <NameLink text={callback.label} to={paths.state(state.id)} />
          <Sub>
            <bdi>{state.label}</bdi> in <bdi>{workflow.label}</bdi>
          </Sub>
        </li>
      ))}
      {more > 0 ? <li className={styles['recovered']}>and {count(more)} more</li> : null}
    </ul>
  );
}
