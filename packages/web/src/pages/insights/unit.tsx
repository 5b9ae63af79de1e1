import styles from './insights.module.css';

/** What a number is, on a narrow screen, where tables have no head. */
export const Unit = ({ of }: { of: string }) => <span className={styles['unit']}> {of}</span>;
