import { Button, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { client } from '../../api/client.ts';
import { useCohortPermission } from '../../session/session-context.ts';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { MutedText, Section } from '../../ui/section.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { unavailable } from '../../ui/unavailable.ts';
import { overviewQuery, type Overview } from './use-experiment.ts';
import styles from './notes.module.css';

/** The overview contains at most this many. */
const maxNotes = 100;

interface Props {
  experimentId: number;
  cohort: Overview['cohort'];
  notes: Overview['notes'];
}

export function Notes({ experimentId, cohort, notes }: Props) {
  const mayWrite = useCohortPermission(cohort, 'sample_update');
  return (
    <Section title="Notes">
      {notes.length === 0 ? <MutedText>No notes yet.</MutedText> : null}
      <ul className={styles['notes']}>
        {notes.map(({ id, text, author, created_at }) => (
          <li key={id}>
            <div className={styles['head']}>
              <bdi>{author.name}</bdi>
              <Timestamp at={created_at} as="short" />
            </div>
            <p dir="auto">{text}</p>
          </li>
        ))}
      </ul>
      {notes.length < maxNotes ? null : <MutedText>Showing the latest {maxNotes}.</MutedText>}
      {mayWrite ? (
        <NoteForm experimentId={experimentId} />
      ) : (
        <MutedText>
          To add notes, you need the permission <code>sample_update</code>.
        </MutedText>
      )}
    </Section>
  );
}

function NoteForm({ experimentId }: { experimentId: number }) {
  const [text, setText] = useState('');
  const queryClient = useQueryClient();
  const add = useMutation({
    mutationFn: () => client.addNote({ params: { id: experimentId }, body: { text: text.trim() } }),
    onSuccess: () => {
      setText('');
      return queryClient.invalidateQueries({ queryKey: overviewQuery(experimentId).queryKey });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate();
  };
  return (
    <form className={styles['form']} onSubmit={submit}>
      <Textarea
        aria-label="New note"
        placeholder="Add a note"
        autosize
        minRows={1}
        maxRows={12}
        maxLength={10_000}
        dir="auto"
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      {add.error ? <ProblemNote error={add.error} /> : null}
      <Button type="submit" loading={add.isPending} {...unavailable(text.trim() === '' && 'Enter the note first.')}>
        Add note
      </Button>
    </form>
  );
}
