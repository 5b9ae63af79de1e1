import styles from './unit.module.css';

/** What a number is, on a narrow screen, where tables have no head. */
export const Unit = ({ of }: { of: string }) => <span className={styles['unit']}> {of}</span>;

/** The head of a column, before its value. */
export const NarrowHead = ({ text }: { text: string }) => <span className={styles['unit']}>{text} </span>;
