import { initialsOf } from '../../follow-ups/initials.ts';
import { paths } from '../../paths.ts';
import { Name, NameLink } from '../../ui/name.tsx';
import type { Entry } from './use-audit.ts';
import styles from './audit.module.css';

const programs = { engine: 'Workflow', operator: 'Command line', execution: 'Callback', user: 'User' } as const;

export function Actor({ actor }: Pick<Entry, 'actor'>) {
  const { kind, id, name, is_service_account: isServiceAccount } = actor;
  const text = name === '' ? (id === null ? programs[kind] : `${programs[kind]} ${id}`) : name;
  const isPerson = kind === 'user' && !isServiceAccount;
  return (
    <span className={styles['actor']}>
      <span className={styles['avatar']} data-person={isPerson || undefined} aria-hidden="true">
        {initialsOf(text)}
      </span>
      {kind === 'user' && id !== null ? (
        <NameLink text={text} to={`${paths.audit}?person=${id}`} />
      ) : (
        <Name text={text} />
      )}
      {isServiceAccount ? <span className={styles['tag']}>Service account</span> : null}
      {kind === 'execution' && name !== '' ? <span className={styles['tag']}>Callback</span> : null}
    </span>
  );
}
