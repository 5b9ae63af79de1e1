/** Everything that happens, as it happens: ours, beyond the specification. */
import type { eventOperations, Permission } from '@milepost/api';
import { Problem } from '../errors.ts';
import { ok, type Account, type Call, type Handlers } from '../http/call.ts';
import { EventStream, messageText } from '../http/event-stream.ts';
import { isBehind, readEvents, readKept, type Position, type StreamedEvent } from '../store/event-stream.ts';
import { holdsCohort } from '../store/scope.ts';
import { pageSize, takePage, type Follower } from './follow-events.ts';

/** Each may hold 256 KiB of what its reader has not taken: 128 MB together, where all are slow. */
const mostStreams = 500;
/** How soon a stream ends, or shows other cohorts, after rights have changed. */
const rightsMs = 5000;

type EventsCall = Parameters<Handlers<typeof eventOperations>['listEvents']>[0];

export const eventHandlers: Handlers<typeof eventOperations> = {
  async listEvents(call) {
    const { eventStreams, tail, database } = call;
    if (eventStreams.size >= mostStreams) {
      throw new Problem('busy', 'Too many follow along at this server. Try again shortly.', { retryAfterSeconds: 10 });
    }
    const start = await startOf(call);
    const stream = new EventStream(call.gone);
    eventStreams.add(stream);
    const follower = followerOf(call, stream, start.position);
    stream.onClose(() => {
      eventStreams.delete(stream);
      tail.leave(follower);
    });
    if (start.lost) stream.write(messageText({ event: 'reset', data: {} }));
    stream.write(messageText({ event: 'ready', id: textOf(start.position), data: {} }));
    void catchUp(database.db, stream, follower).then(
      () => stream.closed || tail.join(follower),
      (error: unknown) => {
        call.log.warn({ err: error }, 'a stream of events could not be resumed');
        stream.end();
      },
    );
    return ok(stream);
  },
};

/** Behind the last message that the reader got; where that is not known or no longer kept, behind all there is. */
async function startOf({ database, following }: EventsCall): Promise<{ position: Position; lost: boolean }> {
  const { since, now } = await readKept(database.db);
  const { lastEventId } = following;
  if (lastEventId === undefined || lastEventId === '') return { position: now, lost: false };
  const position = positionOf(lastEventId);
  // One that lies ahead is of another database, such as the one before a restore.
  const lost = !position || isBehind(position, since) || isBehind(now, position);
  return lost ? { position: now, lost } : { position, lost };
}

const textOf = ({ xid, id }: Position) => `${xid}-${id}`;

function positionOf(text: string): Position | undefined {
  const [, xid, id] = /^(\d{1,19})-(\d{1,15})$/.exec(text) ?? [];
  return xid === undefined ? undefined : { xid: BigInt(xid), id: Number(id) };
}

function followerOf(call: EventsCall, stream: EventStream, position: Position): Follower {
  let { account } = call;
  const again = setInterval(
    () =>
      void call.following.admitAgain().then(
        (now) => (account = now),
        () => stream.end(),
      ),
    rightsMs,
  );
  stream.onClose(() => clearInterval(again));
  return {
    position,
    give: (events) =>
      stream.write(
        events
          .filter((event) => maySee(account, event) && isWanted(call.query, event))
          .map(shown)
          .join(''),
      ),
  };
}

/** What one needs to read accounts and roles: who signs in, and who has an account at all, is nobody else's business. */
const readers: Readonly<Record<string, Permission | undefined>> = { user: 'user_read_all', role: 'roles_manage' };

/** Of one's own account everybody is told. What else belongs to no cohort is for those who may see everything. */
export function maySee(
  { id, permissions, scope }: Pick<Account, 'id' | 'permissions' | 'scope'>,
  event: Pick<StreamedEvent, 'cohort_id' | 'object_kind' | 'object_id'>,
): boolean {
  const { cohort_id: cohortId, object_kind: kind, object_id: objectId } = event;
  const needed = readers[kind];
  if (needed) return permissions.has(needed) || (kind === 'user' && objectId === id);
  return cohortId === null ? scope.kind === 'all' : holdsCohort(scope, cohortId);
}

const isWanted = (query: EventsCall['query'], event: StreamedEvent): boolean =>
  Object.entries(query).every(([name, value]) => event[name as keyof typeof query] === value);

/** An event goes to everybody who is connected: it is written once for all of them. */
const texts = new WeakMap<StreamedEvent, string>();

function shown(event: StreamedEvent): string {
  const text = texts.get(event) ?? written(event);
  texts.set(event, text);
  return text;
}

const written = (event: StreamedEvent): string => {
  const { xid: _xid, id, at, kind, object_kind, object_id, cohort_id, experiment_id, workflow_id, data } = event;
  const told = { id, at, kind, object_kind, object_id, cohort_id, experiment_id, workflow_id, data };
  return messageText({ id: textOf(event), data: told });
};

/** At the reader's pace, up to where all others are. */
async function catchUp(db: Call['database']['db'], stream: EventStream, follower: Follower): Promise<void> {
  for (let more = true; more && !stream.closed;) {
    const page = await readEvents(db, follower.position, pageSize);
    takePage(follower, page);
    more = page.full;
    await stream.room();
  }
}
