import { permissionWords } from './permission-words.ts';
import { toggle } from './toggle.ts';
import styles from './people.module.css';

interface Props {
  of: readonly string[];
  chosen: ReadonlySet<string>;
  onChange: (chosen: ReadonlySet<string>) => void;
}

export const PermissionChoice = ({ of, chosen, onChange }: Props) => (
  <fieldset className={styles['choices']}>
    <legend>Permissions, in addition to reading study data</legend>
    <div className={styles['scrolled']}>
      {of.map((permission) => (
        <label key={permission} className={styles['choice']}>
          <input
            type="checkbox"
            checked={chosen.has(permission)}
            onChange={() => onChange(toggle(chosen, permission))}
          />
          {permissionWords(permission)}
        </label>
      ))}
    </div>
  </fieldset>
);
