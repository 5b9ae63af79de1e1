import { useCohortPermission } from '../session/session-context.ts';
import { Name } from '../ui/name.tsx';
import type { Followed } from './followed.ts';
import { initialsOf } from './initials.ts';
import styles from './follow-ups.module.css';

/** The user who takes care of an experiment. A button for those who can change it. */
export function Assignee({ followed, onAssign }: { followed: Followed; onAssign: () => void }) {
  const { assignee, cohort, experiment } = followed;
  const mayAssign = useCohortPermission(cohort, 'sample_update');
  const shown = assignee ? <UserName name={assignee.name} /> : <Nobody text={mayAssign ? 'Assign' : 'Nobody'} />;
  if (!mayAssign) return shown;
  return (
    <button
      type="button"
      className={styles['assign']}
      aria-label={assignee ? `Reassign ${experiment.label}, now ${assignee.name}` : `Assign ${experiment.label}`}
      onClick={onAssign}
    >
      {shown}
    </button>
  );
}

const UserName = ({ name }: { name: string }) => (
  <span className={styles['name']}>
    <span className={styles['initials']} aria-hidden="true">
      {initialsOf(name)}
    </span>
    <Name text={name} />
  </span>
);

const Nobody = ({ text }: { text: string }) => (
  <span className={`${styles['name']} ${styles['empty']}`}>
    <span className={`${styles['initials']} ${styles['nobody']}`} aria-hidden="true" />
    {text}
  </span>
);
