/** The user's sessions, which can be ended one by one or all except this one. */
import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { operationQuery, type BodyOf } from '../../api/operation-query.ts';
import { useSession } from '../../session/session-context.ts';
import type { Column } from '../../table/column.ts';
import { DataTable } from '../../table/data-table.tsx';
import { announceDone, announcePartialFailure } from '../../ui/announcements.tsx';
import { Name } from '../../ui/name.tsx';
import { countOf } from '../../ui/numbers.ts';
import { QueryResult } from '../../ui/query-result.tsx';
import { Section } from '../../ui/section.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { tooltip } from '../../ui/tooltip.tsx';
import { browserName } from './browser-name.ts';
import { endSessions } from './end-sessions.ts';
import styles from './account.module.css';

type OwnSession = BodyOf<'listSessions'>['sessions'][number];

/** Signing in or out emits an event of the user. */
const sessionsQuery = (userId: number) =>
  operationQuery('listSessions', {}, ({ object_kind, object_id }) => object_kind === 'user' && object_id === userId);

/** Sessions that could not be ended stay in the list. */
function useEnd() {
  const queryClient = useQueryClient();
  const { queryKey } = sessionsQuery(useSession().user.id);
  return useMutation({
    mutationFn: (sessions: readonly OwnSession[]) =>
      endSessions(
        sessions.map(({ id }) => id),
        (id) => client.endSession({ params: { id } }),
      ),
    onSuccess: ({ ended, errors }) => {
      queryClient.setQueryData<BodyOf<'listSessions'>>(
        queryKey,
        (before) => before && { sessions: before.sessions.filter(({ id }) => !ended.has(id)) },
      );
      if (ended.size > 0) announceDone(`Ended ${countOf(ended.size, 'session')}.`);
      if (errors.length === 0) return;
      announcePartialFailure(`Could not end ${countOf(errors.length, 'session')}.`, errors[0]);
      void queryClient.invalidateQueries({ queryKey });
    },
  });
}

const Browser = ({ session: { user_agent, current } }: { session: OwnSession }) => (
  <>
    <span className={styles['browser']} {...tooltip(user_agent)}>
      <Name text={browserName(user_agent)} />
    </span>
    {current ? <span className={styles['this']}>This browser</span> : null}
  </>
);

function EndButton({ session }: { session: OwnSession }) {
  const end = useEnd();
  if (session.current) return null;
  const name = `End session of ${browserName(session.user_agent)} from ${session.address}`;
  return (
    <Button variant="subtle" loading={end.isPending} onClick={() => end.mutate([session])} aria-label={name}>
      End
    </Button>
  );
}

const columns: readonly Column<OwnSession>[] = [
  {
    id: 'browser',
    header: 'Browser',
    names: true,
    width: '30%',
    text: ({ user_agent }) => browserName(user_agent),
    cell: (session) => <Browser session={session} />,
  },
  {
    id: 'address',
    header: 'IP address',
    text: ({ address }) => address,
    cell: ({ address }) => <Name text={address} />,
  },
  {
    id: 'created',
    header: 'Signed in',
    wideOnly: true,
    width: '17%',
    text: ({ created_at }) => created_at,
    cell: ({ created_at }) => <Timestamp at={created_at} as="past" />,
  },
  {
    id: 'used',
    header: 'Last used',
    width: '17%',
    text: ({ last_used_at }) => last_used_at,
    cell: ({ last_used_at }) => <Timestamp at={last_used_at} as="past" />,
  },
  {
    id: 'expires',
    header: 'Expires',
    wideOnly: true,
    width: '17%',
    text: ({ expires_at }) => expires_at,
    cell: ({ expires_at }) => <Timestamp at={expires_at} as="until" />,
  },
  {
    id: 'end',
    header: 'End session',
    control: true,
    width: '72px',
    text: () => '',
    cell: (session) => <EndButton session={session} />,
  },
];

export function OwnSessions() {
  const sessions = useQuery(sessionsQuery(useSession().user.id));
  const end = useEnd();
  const others = (sessions.data?.sessions ?? []).filter(({ current }) => !current);
  const endOthers = (
    <Button loading={end.isPending} onClick={() => end.mutate(others)}>
      End other sessions
    </Button>
  );
  return (
    <Section title="Sessions" aside={others.length > 0 ? endOthers : undefined}>
      <p className={styles['about']}>
        Sessions expire after 60 minutes of inactivity, and at most 12 hours after you sign in.
      </p>
      <QueryResult query={sessions} what="your sessions">
        {(data) => (
          <DataTable
            label="Sessions"
            columns={columns}
            rows={data.sessions}
            rowKey={({ id }) => String(id)}
            rowHeight={61}
          />
        )}
      </QueryResult>
    </Section>
  );
}
