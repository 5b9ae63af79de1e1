/** The figures of a plot as a table. It scrolls in both directions if there are many weeks or states. */
import type { ReactNode } from 'react';
import styles from './insights.module.css';

export interface Figures {
  /** The first one names the row. */
  heads: readonly string[];
  rows: readonly { key: string; cells: readonly ReactNode[] }[];
  /** The number of columns at the left with text. The others have numbers. */
  texts?: number;
}

interface Props extends Figures {
  label: string;
}

export const FigureTable = ({ label, heads, rows, texts = 1 }: Props) => (
  <div className={styles['scroll']} role="region" aria-label={label} tabIndex={0}>
    <table>
      <thead>
        <tr>
          {heads.map((head, index) => (
            <th key={head} scope="col" data-number={index >= texts || undefined}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells }) => (
          <tr key={key}>
            {cells.map((cell, index) =>
              index === 0 ? (
                <th key={heads[index]} scope="row">
                  {cell}
                </th>
              ) : (
                <td key={heads[index]} data-number={index >= texts || undefined}>
                  {cell}
                </td>
              ),
            )}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
