import { Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client.ts';
import { announceDone } from '../ui/announcements.tsx';
import { DialogForm } from '../ui/form-dialog.tsx';
import { localDay, shortText } from '../ui/times.ts';
import type { Followed } from './followed.ts';
import { dayIn, morningOf } from './snooze-days.ts';
import styles from './follow-ups.module.css';

const choices = [
  { days: 1, text: 'Until tomorrow' },
  { days: 3, text: 'For 3 days' },
  { days: 7, text: 'For a week' },
];

/** Leaves an experiment out of the attention list until the morning of a day. */
export function SnoozeForm({ followed, onClose }: { followed: Followed; onClose: () => void }) {
  const { experiment } = followed;
  const [today] = useState(() => new Date());
  const [day, setDay] = useState(() => dayIn(today, 1));
  const [note, setNote] = useState('');
  const snooze = useMutation({
    mutationFn: () =>
      client.snoozeExperiment({ params: { id: experiment.id }, body: { until: morningOf(day), note: note.trim() } }),
    onSuccess: ({ snooze: set }) => {
      announceDone(`Snoozed ${experiment.label}${set ? ` until ${shortText(set.until)}` : ''}.`);
      onClose();
    },
  });
  return (
    <DialogForm
      title={`Snooze ${experiment.label}`}
      action="Snooze"
      sending={snooze}
      missing={day <= localDay(today) ? 'Choose a day after today.' : undefined}
      onSubmit={() => snooze.mutate()}
      onClose={onClose}
    >
      <p className={styles['about']}>
        Hidden from the list for all users until 08:00 on that day, or until it moves or fails again.
      </p>
      <Days today={today} day={day} onChange={setDay} />
      <Textarea
        label="Note"
        placeholder="Why it can wait"
        autosize
        minRows={2}
        maxRows={6}
        maxLength={1000}
        dir="auto"
        value={note}
        onChange={({ currentTarget }) => setNote(currentTarget.value)}
      />
    </DialogForm>
  );
}

function Days({ today, day, onChange }: { today: Date; day: string; onChange: (day: string) => void }) {
  return (
    <>
      <fieldset className={styles['choices']}>
        <legend>How long</legend>
        {choices.map(({ days, text }) => (
          <label key={days}>
            <input
              type="radio"
              name="days"
              checked={day === dayIn(today, days)}
              onChange={() => onChange(dayIn(today, days))}
            />
            {text}
          </label>
        ))}
      </fieldset>
      <TextInput
        type="date"
        label="Until"
        min={dayIn(today, 1)}
        value={day}
        required
        withAsterisk={false}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </>
  );
}
