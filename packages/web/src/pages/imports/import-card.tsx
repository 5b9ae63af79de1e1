/** The numbers of an import, and what to do next. */
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { paceText } from '../../bulk/pace-text.ts';
import { ResultBar } from '../../bulk/result-bar.tsx';
import { StatusButtons } from '../../bulk/status-buttons.tsx';
import { paths } from '../../paths.ts';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { count, countOf } from '../../ui/numbers.ts';
import { unavailable } from '../../ui/unavailable.ts';
import { textWithCode } from '../../ui/text-with-code.tsx';
import { FaultyLinesButton } from './faulty-lines-button.tsx';
import type { ImportChange } from './import-queries.ts';
import { hasEnded, isCancelled, isWorking, type Import } from './import-words.ts';
import { pathOfNext } from './start.ts';
import styles from './imports.module.css';

interface Props {
  of: Import;
  change: ImportChange;
}

export const ImportCard = (props: Props) => (
  <section className={styles['card']} aria-label="Result">
    <Bar of={props.of} />
    {/* The numbers of progress change every second, which a screen reader must not announce. */}
    <div role={isWorking(props.of) ? undefined : 'status'}>
      <Outcome of={props.of} />
    </div>
    <Actions {...props} />
  </section>
);

function Bar({ of: { status, started_at: started, lines, ready, unchanged, faulty, done } }: { of: Import }) {
  const good = started === null ? ready + unchanged : done + unchanged;
  const total = status === 'checking' || started !== null ? lines : good + faulty;
  return <ResultBar good={good} refused={faulty} total={Math.max(1, total)} />;
}

function Outcome({ of }: { of: Import }) {
  const { status, started_at: started, checked, lines } = of;
  if (status === 'uploading') return <Result icon="queued">Uploading…</Result>;
  if (status === 'checking')
    return (
      <>
        <Result icon="queued">
          Checking {count(checked)} of {countOf(lines, 'line')}
        </Result>
        {of.waiting_for === null ? null : <p className={styles['quiet']}>{paceText(of)}</p>}
      </>
    );
  if (status === 'stopped' && started === null) return <Result icon="none">Nothing was imported</Result>;
  return started === null ? <Checked of={of} /> : <Applied of={of} />;
}

const Result = ({ icon, kind, children }: { icon: IconName; kind?: 'good' | 'bad'; children: ReactNode }) => (
  <p className={styles['result']} data-kind={kind}>
    <Icon name={icon} size={16} />
    <span>{children}</span>
  </p>
);

const Numbers = ({ of }: { of: readonly (readonly [name: string, value: number])[] }) => (
  <dl className={styles['numbers']}>
    {of.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{count(value)}</dd>
      </div>
    ))}
  </dl>
);

const Rest = ({ of: { unchanged, faulty }, skipped }: { of: Import; skipped: boolean }) => (
  <>
    {unchanged === 0 ? null : <Result icon="none">{countOf(unchanged, 'line is', 'lines are')} unchanged</Result>}
    {faulty === 0 ? null : (
      <Result icon="failed" kind="bad">
        {skipped
          ? countOf(faulty, 'line with faults was skipped', 'lines with faults were skipped')
          : countOf(faulty, 'line has faults', 'lines have faults')}
      </Result>
    )}
  </>
);

/** The same file again changes nothing. */
function Checked({ of }: { of: Import }) {
  const { lines, ready, faulty, new_subjects: subjects, new_experiments: experiments } = of;
  return (
    <>
      {ready > 0 ? (
        <>
          <Result icon="success" kind="good">
            {countOf(ready, 'line')} can be imported
          </Result>
          <Numbers
            of={[
              ['New subjects', subjects],
              ['New experiments', experiments],
            ]}
          />
        </>
      ) : lines === 0 ? (
        <Result icon="none">The file has no lines with values</Result>
      ) : faulty === 0 ? (
        <Result icon="success" kind="good">
          Nothing changes
        </Result>
      ) : null}
      <Rest of={of} skipped={false} />
    </>
  );
}

function Applied({ of }: { of: Import }) {
  const { status, done, ready, new_subjects: subjects, new_experiments: experiments } = of;
  if (!hasEnded(of)) {
    const progress = `${count(done)} of ${countOf(done + ready, 'line')}`;
    return (
      <>
        <Result icon={status === 'paused' ? 'queued' : 'running'}>
          {status === 'paused' ? `Paused after ${progress}` : `Importing ${progress}`}
        </Result>
        {status === 'paused' ? null : <p className={styles['quiet']}>{paceText(of)}</p>}
      </>
    );
  }
  return (
    <>
      <Result {...(status === 'finished' ? ({ icon: 'success', kind: 'good' } as const) : ({ icon: 'none' } as const))}>
        {countOf(done, 'line')} imported
      </Result>
      <Numbers
        of={[
          ['Subjects created', subjects],
          ['Experiments created', experiments],
        ]}
      />
      {ready === 0 ? null : <Result icon="none">{countOf(ready, 'line')} not imported</Result>}
      <Rest of={of} skipped />
    </>
  );
}

function Actions({ of, change }: Props) {
  const { status, ready, lines, faulty } = of;
  const sent = change.isPending && typeof change.variables === 'string' ? change.variables : undefined;
  if (status === 'checking' || status === 'uploading')
    return (
      <div className={styles['actions']}>
        <Button variant="filled" {...unavailable('The file is being checked.')}>
          Import the correct lines
        </Button>
        <p className={styles['quiet']}>You can leave this page. Nothing has been changed yet.</p>
      </div>
    );
  if (status === 'running' || status === 'paused')
    return (
      <div className={styles['actions']}>
        <StatusButtons status={status} pending={sent} onChange={(verb) => change.mutate(verb)} />
        <p className={styles['quiet']}>
          {status === 'running' ? 'You can leave this page. ' : ''}Imported lines stay if you stop it.
        </p>
      </div>
    );
  if (status !== 'checked') return <Ended of={of} />;
  return (
    <div className={styles['actions']}>
      {ready === 0 ? null : (
        <Button variant="filled" loading={sent === 'apply'} onClick={() => change.mutate('apply')}>
          {ready === lines
            ? `Import ${lines === 1 ? 'the line' : `all ${count(lines)} lines`}`
            : `Import the ${countOf(ready, 'correct line')}`}
        </Button>
      )}
      <Button component={Link} to={pathOfNext(of)}>
        {faulty === 0 ? 'Choose another file' : 'Fix the file and check again'}
      </Button>
      <p className={styles['quiet']}>
        {ready === 0 && faulty === 0 ? '' : 'Nothing has been changed yet. '}
        {ready === 0 && faulty > 0 ? '' : 'Importing the same file again changes nothing.'}
      </p>
    </div>
  );
}

function Ended({ of }: { of: Import }) {
  const { status, stopped_because: because, started_at: started, cohort, faulty } = of;
  const why = isCancelled(of) ? 'You cancelled it. Nothing was changed.' : (because ?? 'You stopped it.');
  return (
    <div className={styles['actions']}>
      {status === 'finished' ? null : (
        <p dir="auto">
          {textWithCode(why)}
          {started === null ? '' : ' Imported lines stay. Import the same file again to continue.'}
        </p>
      )}
      <Button component={Link} variant="filled" to={paths.cohort(cohort.id)}>
        Open the cohort
      </Button>
      {faulty === 0 ? null : <FaultyLinesButton of={of} />}
      <Button component={Link} to={pathOfNext(of)}>
        Import another file
      </Button>
      {faulty === 0 ? null : <p className={styles['quiet']}>Fix them in the downloaded file, and import that file.</p>}
    </div>
  );
}
