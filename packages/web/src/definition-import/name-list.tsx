import { Fragment } from 'react';
import styles from './definition-import.module.css';

/** Names with commas. Each stays on one line if it fits. */
export const NameList = ({ names }: { names: readonly string[] }) =>
  names.map((name, index) => (
    <Fragment key={name}>
      {index === 0 ? '' : ', '}
      <bdi className={styles['name']}>{name}</bdi>
    </Fragment>
  ));
