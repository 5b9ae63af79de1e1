/** A section of the page: a sentence, a plot, the same figures as a table, and as CSV. */
import type { OperationName } from '@milepost/api';
import { useId, useState, type ReactNode } from 'react';
import { useCsv } from '../../table/use-csv.ts';
import { FigureTable, type Figures } from './figure-table.tsx';
import type { InsightFilter } from './use-insights.ts';
import styles from './insights.module.css';

type InsightList = Extract<OperationName, `listInsight${string}`>;

export interface CsvSource {
  operation: InsightList;
  /** The name of the file, without `.csv`. */
  file: string;
  columns: readonly string[];
}

interface Props {
  title: string;
  /** What the figures say. */
  summary?: ReactNode;
  /** How to read the plot. */
  legend?: string;
  csv: CsvSource;
  filter: InsightFilter;
  /** The figures of the plot. Without them, the section is a table already. */
  figures?: () => Figures;
  children: ReactNode;
}

export function InsightSection({ title, summary, legend, csv, filter, figures, children }: Props) {
  const id = useId();
  const [isTable, setIsTable] = useState(false);
  return (
    <section aria-labelledby={id} className={styles['section']}>
      <div className={styles['head']}>
        <h2 id={id}>{title}</h2>
        {figures ? (
          <button
            type="button"
            className={styles['action']}
            aria-pressed={isTable}
            aria-label={`Table of ${title}`}
            onClick={() => setIsTable(!isTable)}
          >
            Table
          </button>
        ) : null}
        <CsvButton csv={csv} filter={filter} title={title} />
      </div>
      <p className={styles['summary']}>
        <span>{summary}</span>
        {legend !== undefined && !isTable ? <span className={styles['legend']}>{legend}</span> : null}
      </p>
      {figures && isTable ? <FigureTable label={`Table of ${title}`} {...figures()} /> : children}
    </section>
  );
}

function CsvButton({ csv, filter, title }: Pick<Props, 'csv' | 'filter' | 'title'>) {
  const { operation, file, columns } = csv;
  const { download, isPending } = useCsv({ operation, file, columns, query: filter });
  return (
    <button
      type="button"
      className={styles['action']}
      aria-label={`CSV of ${title}`}
      aria-busy={isPending}
      disabled={isPending}
      onClick={download}
    >
      CSV
    </button>
  );
}
