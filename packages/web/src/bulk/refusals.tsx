/** The refused experiments of a bulk operation, grouped by reason. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { paths } from '../paths.ts';
import { useCsv } from '../table/use-csv.ts';
import { NameLink } from '../ui/name.tsx';
import { count } from '../ui/numbers.ts';
import { QueryResult } from '../ui/query-result.tsx';
import { textWithCode } from '../ui/text-with-code.tsx';
import { useRefusedItems, type BulkItem } from './bulk-queries.ts';
import type { BulkOperation } from './bulk-words.ts';
import styles from './bulk.module.css';

type Refusal = BulkOperation['refusals'][number];

export const itemColumns = ['experiment_id', 'experiment.label', 'result', 'code', 'detail'];

export function Refusals({ operation }: { operation: BulkOperation }) {
  const csv = useCsv({
    file: `bulk-operation-${operation.id}-refused`,
    operation: 'listBulkItems',
    params: { id: operation.id },
    query: { result: 'refused' },
    columns: itemColumns,
  });
  const { refusals, refused } = operation;
  if (refused === 0) return null;
  const rest = refused - refusals.reduce((sum, { experiments }) => sum + experiments, 0);
  return (
    <>
      <ul className={styles['refusals']} aria-label="Refused, by reason">
        {refusals.map((refusal) => (
          <RefusalGroup key={refusal.number} operation={operation} refusal={refusal} />
        ))}
        {rest > 0 ? (
          <li>
            <span className={styles['number']}>{count(rest)}</span> for other reasons
          </li>
        ) : null}
      </ul>
      <Button variant="subtle" className={styles['link'] ?? ''} onClick={csv.download} loading={csv.isPending}>
        Download the refused as CSV
      </Button>
    </>
  );
}

function RefusalGroup({ operation, refusal }: { operation: BulkOperation; refusal: Refusal }) {
  const [isShown, setIsShown] = useState(false);
  const { experiments, detail } = refusal;
  const { text, condition } = partsOf(refusal);
  return (
    <li>
      <div className={styles['refusal']}>
        <span className={styles['number']}>{count(experiments)}</span>
        <span className={styles['detail']} dir="auto">
          {textWithCode(text)}
        </span>
        <button
          type="button"
          className={styles['view']}
          aria-expanded={isShown}
          aria-label={`${isShown ? 'Hide' : 'View'}: ${detail}`}
          onClick={() => setIsShown(!isShown)}
        >
          {isShown ? 'Hide' : 'View'}
        </button>
        {condition === undefined ? null : (
          <code className={styles['condition']} dir="ltr">
            {condition}
          </code>
        )}
      </div>
      {isShown ? <RefusedExperiments operation={operation} refusal={refusal} /> : null}
    </li>
  );
}

/** The words, and the condition if one is not met. */
function partsOf({ code, detail }: Pick<Refusal, 'code' | 'detail'>): { text: string; condition?: string | undefined } {
  if (code !== 'condition_not_met') return { text: detail };
  const [text = '', condition] = detail.split(/: (.*)/s, 2);
  return { text, condition };
}

/** A condition is code, on its own line. */
export function RefusalText(refusal: Pick<Refusal, 'code' | 'detail'>) {
  const { text, condition } = partsOf(refusal);
  return (
    <>
      <span dir="auto">{textWithCode(text)}</span>
      {condition === undefined ? null : (
        <div>
          <code className={styles['condition']} dir="ltr">
            {condition}
          </code>
        </div>
      )}
    </>
  );
}

const mostShown = 50;

function RefusedExperiments({ operation, refusal }: { operation: BulkOperation; refusal: Refusal }) {
  const items = useRefusedItems(operation, refusal.number, mostShown);
  return (
    <QueryResult query={items} what="experiments">
      {({ items: shown }) => (
        <ul className={styles['items']}>
          {shown.map((item) => (
            <li key={item.number}>
              <ItemLink item={item} />
            </li>
          ))}
          {refusal.experiments > shown.length ? <li>and {count(refusal.experiments - shown.length)} more</li> : null}
        </ul>
      )}
    </QueryResult>
  );
}

/** The experiment may have been deleted, or moved to a cohort that the user cannot read. */
export const ItemLink = ({ item: { experiment, experiment_id: id } }: { item: BulkItem }) =>
  experiment ? <NameLink text={experiment.label} to={paths.experiment(id)} /> : <>Experiment {id}</>;
