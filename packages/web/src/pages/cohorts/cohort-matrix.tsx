/** The matrix of a cohort: subjects down, visits across. Shows as many visits beside each other as fit. */
import { Button } from '@mantine/core';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useFilters } from '../../filters/use-filters.ts';
import { useStateLooks } from '../../status/use-state-look.tsx';
import { DataTable } from '../../table/data-table.tsx';
import { MoreRows } from '../../table/more-rows.tsx';
import { useLocalSort } from '../../table/use-local-sort.ts';
import { EmptyState, Loading } from '../../ui/placeholders.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { partTitle } from '../../progress/progress-bar.tsx';
import { unavailable } from '../../ui/unavailable.ts';
import { matrixColumns, type Done } from './matrix-columns.tsx';
import { MatrixFilters, useMatrixFilter } from './matrix-filters.tsx';
import { useMatrix, type CohortSummary } from './use-cohort.ts';
import styles from './matrix.module.css';

/** The subject, what is done and the last activity need the rest. */
const fixedWidth = 428;
const visitWidth = 140;
/** Narrower pages show a row as a block, with all visits. */
const blockWidth = 740;

/** A cohort that fits on one page can also be sorted by other columns. The pages of the server are in the order of labels. */
const bySubject = { columnId: 'subject', isDescending: false };

/** How many visits fit, and which are shown. */
function useShownVisits(all: CohortSummary['visits']) {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(1200);
  const [first, setFirst] = useState(0);
  useEffect(() => {
    if (!box.current) return undefined;
    const observer = new ResizeObserver(([entry]) => entry && setWidth(entry.contentRect.width));
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  const fit = width < blockWidth ? all.length : Math.max(2, Math.floor((width - fixedWidth) / visitWidth));
  const start = Math.max(0, Math.min(first, all.length - fit));
  return { box, start, fit, shown: all.slice(start, start + fit), show: setFirst };
}

/** Without a good outcome, all final states count. */
function doneIn(summary: CohortSummary, lookOf: Done['lookOf']): Done {
  const good = summary.progress.find(({ part }) => part === 'good');
  return { title: good ? partTitle(good) : 'Final', goodOnly: good !== undefined, lookOf };
}

interface Props {
  id: number;
  summary: CohortSummary | undefined;
  empty: ReactNode;
}

export function CohortMatrix({ id, summary, empty }: Props) {
  const filter = useMatrixFilter();
  const { clear } = useFilters();
  const matrix = useMatrix(id, filter);
  if (!summary) return <Loading what="the matrix" />;
  if (summary.subjects === 0) return empty;
  return (
    <>
      <MatrixFilters summary={summary} />
      <QueryResult
        query={matrix.first}
        what="the matrix"
        onClearFilters={Object.keys(filter).length > 0 ? clear : undefined}
      >
        {() => <Rows summary={summary} of={matrix} />}
      </QueryResult>
    </>
  );
}

function Rows({ summary, of }: { summary: CohortSummary; of: ReturnType<typeof useMatrix> }) {
  const lookOf = useStateLooks();
  const { box, start, fit, shown, show } = useShownVisits(summary.visits);
  const counted = summary.visits.reduce((sum, { subjects }) => sum + subjects, 0);
  const columns = matrixColumns({
    summary,
    shown,
    hasOthers: counted < summary.experiments || summary.visits.length === 0,
    done: doneIn(summary, lookOf),
  });
  const { rows, sort } = useLocalSort(of.rows, columns, of.isOnePage, bySubject);
  return (
    <div ref={box} className={styles['matrix']}>
      {fit < summary.visits.length ? (
        <ShownVisits start={start} fit={fit} all={summary.visits.length} onShow={show} />
      ) : null}
      {of.rows.length === 0 && !of.hasMore ? (
        <NoMatch />
      ) : (
        <>
          <DataTable
            label="Subjects and their experiments"
            columns={columns}
            rows={rows}
            rowKey={({ id }) => String(id)}
            rowHeight={37}
            {...(sort ? { sort } : {})}
          />
          <MoreRows of={of} noun="subject" />
        </>
      )}
    </div>
  );
}

interface ShownProps {
  start: number;
  fit: number;
  all: number;
  onShow: (first: number) => void;
}

const ShownVisits = ({ start, fit, all, onShow }: ShownProps) => (
  <div className={styles['shownVisits']}>
    <Button
      variant="subtle"
      onClick={() => onShow(Math.max(0, start - fit))}
      {...unavailable(start === 0 && 'These are the first visits.')}
    >
      Previous visits
    </Button>
    <span role="status">
      Visits {start + 1}–{Math.min(all, start + fit)} of {all}
    </span>
    <Button
      variant="subtle"
      onClick={() => onShow(start + fit)}
      {...unavailable(start + fit >= all && 'These are the last visits.')}
    >
      Next visits
    </Button>
  </div>
);

function NoMatch() {
  const { clear } = useFilters();
  return <EmptyState title="No matching subjects." actions={<Button onClick={clear}>Clear filters</Button>} />;
}
