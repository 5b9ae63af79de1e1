import { Icon } from '../ui/icon.tsx';
import styles from './frame.module.css';

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

export const SearchButton = ({ onClick }: { onClick: () => void }) => (
  <button
    type="button"
    className={styles['search']}
    onClick={onClick}
    aria-haspopup="dialog"
    aria-keyshortcuts="Control+K Meta+K"
  >
    <Icon name="search" />
    <span>Search experiments, subjects, states…</span>
    <kbd aria-hidden="true">{isApple ? '⌘K' : 'Ctrl K'}</kbd>
  </button>
);
