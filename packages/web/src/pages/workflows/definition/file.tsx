import { PlainText } from '../../../ui/plain-text.tsx';
import styles from './definition.module.css';

export const File = ({ text }: { text: string }) => (
  <div className={styles['file']}>
    <PlainText label="Definition" text={text} />
  </div>
);
