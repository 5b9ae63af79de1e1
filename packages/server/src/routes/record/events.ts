/** The event stream (docs/reference/events.md). */
import type { eventOperations, Permission } from '@milepost/api';
import { Problem } from '../../errors.ts';
import { ok, type Account, type Call, type Handlers } from '../../http/call.ts';
import { EventStream, messageText } from '../../http/server-sent-events.ts';
import { isBefore, readRetainedEvents, type Position, type StreamedEvent } from '../../store/record/read-events.ts';
import { includesCohort } from '../../store/scope.ts';
import { requireChangeName, requireNamedObjects } from '../named-filters.ts';
import type { Follower, Tail } from './tail-events.ts';
import { watchAccess } from './watch-access.ts';

/** Each stream buffers up to 256 KiB for a slow client, 128 MB in total. */
const maxStreams = 500;

export interface EventServices {
  /** Delivers events to all clients of this process. */
  tail: Tail;
  eventStreams: Set<EventStream>;
  /** How long a client may read nothing while messages wait for it. */
  longestPauseMs: number;
}

type EventsCall = Call<typeof eventOperations.listEvents> & EventServices;

export const eventHandlers: Handlers<typeof eventOperations, EventServices> = {
  async listEvents(call) {
    const { eventStreams, tail } = call;
    if (eventStreams.size >= maxStreams) {
      throw new Problem('busy', 'Too many clients are connected to the event stream. Try again in 10 seconds.', {
        retryAfterSeconds: 10,
      });
    }
    await requireKnown(call);
    const start = await startOf(call);
    const stream = new EventStream(call.following.disconnectSignal(), call.longestPauseMs);
    eventStreams.add(stream);
    const follower = followerOf(call, stream, start.position);
    stream.onClose(() => {
      eventStreams.delete(stream);
      tail.leave(follower);
    });
    if (start.lost) stream.write(messageText({ event: 'reset', data: {} }));
    stream.write(messageText({ event: 'ready', id: textOf(start.position), data: {} }));
    void tail.follow(follower);
    return ok(stream);
  },
};

/** Otherwise a stream with a mistyped filter would stay silent forever. */
async function requireKnown(call: EventsCall): Promise<void> {
  const { kind, experiment_id, cohort_id, workflow_id } = call.query;
  requireChangeName('kind', kind);
  await requireNamedObjects(call, {
    experiment_id: { kind: 'experiment', id: experiment_id },
    cohort_id: { kind: 'cohort', id: cohort_id },
    workflow_id: { kind: 'workflow', id: workflow_id },
  });
}

/** Starts after the last message that the client received, or at the current time if that is unknown or no longer stored. */
async function startOf({ database, following }: EventsCall): Promise<{ position: Position; lost: boolean }> {
  const { since, now } = await readRetainedEvents(database.db);
  const { lastEventId } = following;
  if (lastEventId === undefined || lastEventId === '') return { position: now, lost: false };
  const position = positionOf(lastEventId);
  // A position in the future is from another database, such as the one before a restore.
  const lost = !position || isBefore(position, since) || isBefore(now, position);
  return lost ? { position: now, lost } : { position, lost };
}

const textOf = ({ xid, id }: Position) => `${xid}-${id}`;

function positionOf(text: string): Position | undefined {
  const [, xid, id] = /^(\d{1,19})-(\d{1,15})$/.exec(text) ?? [];
  return xid === undefined ? undefined : { xid: BigInt(xid), id: Number(id) };
}

function followerOf(call: EventsCall, stream: EventStream, position: Position): Follower {
  const access = watchAccess(call, stream);
  return {
    position,
    give(events) {
      const account = access.account();
      if (!account) return 0;
      const isShown = (event: StreamedEvent) => canSee(account, event) && matches(call.query, event);
      return stream.writeSome(events, (event) => (isShown(event) ? textOfEvent(event) : ''));
    },
    hasRoom: () => stream.hasRoom && access.account() !== undefined,
    room: async () => {
      await Promise.all([stream.room(), access.known()]);
    },
    isClosed: () => stream.closed,
  };
}

/** The permissions required for events about users and roles, because sign-ins and accounts are not public. */
const requiredPermissions: Readonly<Record<string, Permission | undefined>> = {
  user: 'user_read_all',
  role: 'roles_manage',
};

/** Users always see events about their own account. Other events without a cohort require access to all cohorts. */
export function canSee(
  { id, permissions, scope }: Pick<Account, 'id' | 'permissions' | 'scope'>,
  event: Pick<StreamedEvent, 'cohort_id' | 'object_kind' | 'object_id'>,
): boolean {
  const { cohort_id: cohortId, object_kind: kind, object_id: objectId } = event;
  const required = requiredPermissions[kind];
  if (required) return permissions.has(required) || (kind === 'user' && objectId === id);
  return cohortId === null ? scope.kind === 'all' : includesCohort(scope, cohortId);
}

const matches = (query: EventsCall['query'], event: StreamedEvent): boolean =>
  Object.entries(query).every(([name, value]) => event[name as keyof typeof query] === value);

/** Each event is serialised once for all clients. */
const texts = new WeakMap<StreamedEvent, string>();

function textOfEvent(event: StreamedEvent): string {
  const text = texts.get(event) ?? serialise(event);
  texts.set(event, text);
  return text;
}

const serialise = (event: StreamedEvent): string => {
  const { xid: _xid, id, at, kind, object_kind, object_id, cohort_id, experiment_id, workflow_id, data } = event;
  const shown = { id, at, kind, object_kind, object_id, cohort_id, experiment_id, workflow_id, data };
  return messageText({ id: textOf(event), data: shown });
};
