/** Where one is signed in, and how to end that. */
import { Button } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { client } from '../../api/client.ts';
import { operationQuery, type BodyOf } from '../../api/operation-query.ts';
import { useSession } from '../../session/session-context.ts';
import { announceDone, announceRest } from '../../shown/announcements.tsx';
import { Answer } from '../../shown/answer.tsx';
import { hint } from '../../shown/hints.tsx';
import { Moment } from '../../shown/moment.tsx';
import { Name } from '../../shown/name.tsx';
import { countOf } from '../../shown/numbers.ts';
import { Section } from '../../shown/section.tsx';
import type { Column } from '../../table/column.ts';
import { DataTable } from '../../table/data-table.tsx';
import { browserWords } from './browser-words.ts';
import { endAll } from './end-all.ts';
import styles from './account.module.css';

type OwnSession = BodyOf<'listSessions'>['sessions'][number];

/** Signing in and out is an event of the user. */
const sessionsQuery = (userId: number) =>
  operationQuery('listSessions', {}, ({ object_kind, object_id }) => object_kind === 'user' && object_id === userId);

/** What could not be ended stays on the list, and the rest is ended all the same. */
function useEnd() {
  const queryClient = useQueryClient();
  const { queryKey } = sessionsQuery(useSession().user.id);
  return useMutation({
    mutationFn: (sessions: readonly OwnSession[]) =>
      endAll(
        sessions.map(({ id }) => id),
        (id) => client.endSession({ params: { id } }),
      ),
    onSuccess: ({ ended, errors }) => {
      queryClient.setQueryData<BodyOf<'listSessions'>>(
        queryKey,
        (before) => before && { sessions: before.sessions.filter(({ id }) => !ended.has(id)) },
      );
      if (ended.size > 0) announceDone(`${countOf(ended.size, 'session')} ended.`);
      if (errors.length === 0) return;
      announceRest(`${countOf(errors.length, 'session')} could not be ended.`, errors[0]);
      void queryClient.invalidateQueries({ queryKey });
    },
  });
}

const Browser = ({ session: { user_agent, current } }: { session: OwnSession }) => (
  <>
    <span className={styles['browser']} {...hint(user_agent)}>
      <Name text={browserWords(user_agent)} />
    </span>
    {current ? <span className={styles['this']}>This browser</span> : null}
  </>
);

function EndButton({ session }: { session: OwnSession }) {
  const end = useEnd();
  if (session.current) return null;
  const name = `End the session of ${browserWords(session.user_agent)} at ${session.address}`;
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
    text: ({ user_agent }) => browserWords(user_agent),
    cell: (session) => <Browser session={session} />,
  },
  { id: 'address', header: 'From', text: ({ address }) => address, cell: ({ address }) => <Name text={address} /> },
  {
    id: 'created',
    header: 'Signed in',
    wideOnly: true,
    width: '17%',
    text: ({ created_at }) => created_at,
    cell: ({ created_at }) => <Moment at={created_at} as="past" />,
  },
  {
    id: 'used',
    header: 'Last used',
    width: '17%',
    text: ({ last_used_at }) => last_used_at,
    cell: ({ last_used_at }) => <Moment at={last_used_at} as="past" />,
  },
  {
    id: 'expires',
    header: 'Ends',
    wideOnly: true,
    width: '17%',
    text: ({ expires_at }) => expires_at,
    cell: ({ expires_at }) => <Moment at={expires_at} />,
  },
  {
    id: 'end',
    header: 'End it',
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
  const everywhere = (
    <Button loading={end.isPending} onClick={() => end.mutate(others)}>
      Sign out everywhere else
    </Button>
  );
  return (
    <Section title="Where you are signed in" aside={others.length > 0 ? everywhere : undefined}>
      <p className={styles['about']}>A session ends after 60 minutes without use, and after 12 hours at the latest.</p>
      <Answer of={sessions} what="your sessions">
        {(data) => (
          <DataTable
            label="Where you are signed in"
            columns={columns}
            rows={data.sessions}
            rowKey={({ id }) => String(id)}
            rowHeight={61}
          />
        )}
      </Answer>
    </Section>
  );
}
