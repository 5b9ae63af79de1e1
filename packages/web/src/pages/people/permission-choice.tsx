/** The permissions of a new token: all that its owner has, or some of them. */
import { toggle } from './choices.tsx';
import { groupsOf } from './permission-groups.ts';
import { permissionText } from './permission-text.ts';
import styles from './people.module.css';

interface Props {
  /** What the token can have. */
  of: readonly string[];
  /** Those that its owner has only in some cohorts. */
  inSomeCohorts: readonly string[];
  /** `Same as the owner`. */
  same: string;
  /** Undefined for all. */
  chosen: ReadonlySet<string> | undefined;
  onChange: (chosen: ReadonlySet<string> | undefined) => void;
}

const none: ReadonlySet<string> = new Set();

export function PermissionChoice({ of, inSomeCohorts, same, chosen, onChange }: Props) {
  return (
    <fieldset className={styles['choices']}>
      <legend>Permissions</legend>
      <label className={styles['choice']}>
        <input type="radio" name="permissions" checked={chosen === undefined} onChange={() => onChange(undefined)} />
        {same}
      </label>
      <label className={styles['choice']}>
        <input type="radio" name="permissions" checked={chosen !== undefined} onChange={() => onChange(none)} />
        Only these permissions
      </label>
      {chosen ? (
        <div className={styles['scrolled']}>
          {groupsOf(of).map(({ title, permissions }) => (
            <div key={title} role="group" aria-label={title}>
              <p className={styles['groupTitle']}>{title}</p>
              {permissions.map((permission) => (
                <label key={permission} className={styles['choice']}>
                  <input
                    type="checkbox"
                    checked={chosen.has(permission)}
                    onChange={() => onChange(toggle(chosen, permission))}
                  />
                  <span>
                    {permissionText(permission)}
                    {inSomeCohorts.includes(permission) ? (
                      <span className={styles['over']}> (in some cohorts)</span>
                    ) : null}
                  </span>
                </label>
              ))}
            </div>
          ))}
        </div>
      ) : null}
    </fieldset>
  );
}
