import { Icon } from '../ui/icon.tsx';
import { tooltipIfTruncated } from '../ui/tooltip.tsx';
import type { Chip } from './chips.ts';
import styles from './query-field.module.css';

interface Props {
  chip: Chip;
  onEdit: () => void;
  onRemove: () => void;
}

/** A term of a query. A click turns it into text. */
export const QueryChip = ({ chip: { text, head, error }, onEdit, onRemove }: Props) => (
  <span className={styles['chip']} data-invalid={error !== undefined || undefined}>
    <button type="button" className={styles['term']} aria-label={`Edit ${text}`} onClick={onEdit}>
      <code dir="auto" {...tooltipIfTruncated(text)}>
        <b>{head}</b>
        {text.slice(head.length)}
      </code>
    </button>
    <button type="button" className={styles['remove']} aria-label={`Remove ${text}`} onClick={onRemove}>
      <Icon name="close" size={10} />
    </button>
  </span>
);
