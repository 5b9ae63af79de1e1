/** An open entry: its values before and after, and what identifies it. */
import { Button } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { announceDone } from '../../ui/announcements.tsx';
import { LongText } from '../../ui/long-text.tsx';
import { count } from '../../ui/numbers.ts';
import { changedValues } from './changed-values.ts';
import { contextOf, enteredState, fieldWords, leftState, valueText, type Context, type NamesById } from './sentence.ts';
import { Erased, SentenceView } from './sentence-view.tsx';
import { useCheckpoints, type Entry } from './use-audit.ts';
import styles from './audit.module.css';

interface Props {
  id: string;
  entry: Entry;
  names: NamesById;
}

export const EntryDetails = ({ id, entry, names }: Props) => (
  <div id={id} className={styles['details']}>
    <div>
      <Sides context={contextOf(entry, names)} />
      <Buttons entry={entry} />
    </div>
    <Facts entry={entry} />
  </div>
);

/** Ids are in the facts and in the copied entry. */
const idFields = new Set(['id', 'version', 'state_id', 'transition_id', 'action_id', 'import_id', 'bulk_operation_id']);

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function Value({ context, name, side }: { context: Context; name: string; side: 'before' | 'after' }) {
  const state = name === 'state' ? (side === 'before' ? leftState(context) : enteredState(context)) : undefined;
  if (state !== undefined) return <SentenceView pieces={[state]} />;
  return <LongText text={valueText(context, name, context[side][name])} />;
}

function Sides({ context }: { context: Context }) {
  const { entry } = context;
  const values = changedValues(entry).filter(({ name }) => !idFields.has(name));
  if (values.length === 0 && !entry.erased) return <p className={styles['none']}>This change records no values.</p>;
  return (
    <>
      {entry.erased ? (
        <p className={styles['none']}>
          The personal values of this entry were <Erased />.
        </p>
      ) : null}
      <table className={styles['sides']} aria-label="Values before and after">
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {values.map(({ name, before, after }) => (
            <tr key={name}>
              <th scope="row">
                <bdi>{capitalised(fieldWords(name))}</bdi>
              </th>
              <td>{before === null ? <None /> : <Value context={context} name={name} side="before" />}</td>
              <td>{after === null ? <None /> : <Value context={context} name={name} side="after" />}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

const None = () => (
  <span className={styles['none']} role="img" aria-label="not set">
    –
  </span>
);

async function copy(text: string, message: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  announceDone(message);
}

function Buttons({ entry }: { entry: Entry }) {
  const { chain, object } = entry;
  const link = new URL(`${paths.audit}?entry=${entry.id}`, window.location.href).href;
  const { page: _page, ...record } = entry as Entry & { page?: unknown };
  const timeline = chain.kind === 'experiment' && chain.id !== null && object.label !== null ? chain.id : undefined;
  return (
    <div className={styles['buttons']}>
      <Button onClick={() => void copy(link, 'Copied the link.')}>Copy link</Button>
      {timeline === undefined ? null : (
        <Button component={Link} variant="subtle" to={paths.experiment(timeline)}>
          Open timeline
        </Button>
      )}
      <Button variant="subtle" onClick={() => void copy(JSON.stringify(record, null, 2), 'Copied the entry as JSON.')}>
        Copy as JSON
      </Button>
    </div>
  );
}

const two = (value: number) => String(value).padStart(2, '0');

const zone = new Intl.DateTimeFormat('en', { timeZoneName: 'longOffset' });

/** `2026-11-16 10:11:07 +01:00`. */
export function exactTime(at: string): string {
  const time = new Date(at);
  const offset =
    zone
      .formatToParts(time)
      .find(({ type }) => type === 'timeZoneName')
      ?.value.replace('GMT', '') ?? '';
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':');
  return `${day} ${clock} ${offset === '' ? '+00:00' : offset}`;
}

const ids = ({ object, after, before, chain }: Entry): [string, number][] => {
  const own: [string, number] = [object.kind.replaceAll('_', ' '), object.id];
  const around: [string, number][] = chain.id === null || chain.kind === object.kind ? [] : [[chain.kind, chain.id]];
  const action = after?.['action_id'] ?? before?.['action_id'];
  return [own, ...around, ...(typeof action === 'number' ? ([['action', action]] as [string, number][]) : [])];
};

function Facts({ entry }: { entry: Entry }) {
  return (
    <dl className={styles['facts']}>
      <dt>Entry</dt>
      <dd>{count(entry.id)}</dd>
      <dt>Time</dt>
      <dd>
        <time dateTime={entry.at}>{exactTime(entry.at)}</time>
      </dd>
      <dt>Operation</dt>
      <dd>
        <Link to={`${paths.audit}?operation=${encodeURIComponent(entry.operation)}`}>{entry.operation}</Link>
      </dd>
      <dt>Hash</dt>
      <dd>
        <code aria-label={entry.hash}>
          {entry.hash.slice(0, 8)}…{entry.hash.slice(-4)}
        </code>
      </dd>
      <dt>Checkpoint</dt>
      <dd>
        <Checkpoint at={entry.at} />
      </dd>
      <dt>Request ID</dt>
      <dd>{entry.request_id === null ? <None /> : <code>{entry.request_id}</code>}</dd>
      <dt>Object IDs</dt>
      <dd>
        {ids(entry).map(([kind, id], index) => (
          <span key={kind}>
            {index === 0 ? '' : ', '}
            {kind} <code>{id}</code>
          </span>
        ))}
      </dd>
    </dl>
  );
}

/** Everything before the first unsigned entry is signed. */
function Checkpoint({ at }: { at: string }) {
  const { data } = useCheckpoints();
  if (data === undefined) return null;
  const { checkpoints, unsigned_since: since } = data;
  if (checkpoints.length === 0 || (since !== null && at >= since)) {
    return <span className={styles['none']}>Not signed yet</span>;
  }
  return <span className={styles['signed']}>✓ Signed</span>;
}
