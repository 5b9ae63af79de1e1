import { Button } from '@mantine/core';
import { useState } from 'react';
import { useCohortPermission } from '../session/session-context.ts';
import { DescriptionList } from '../ui/description-list.tsx';
import { FormDialog } from '../ui/form-dialog.tsx';
import { Section } from '../ui/section.tsx';
import { Timestamp } from '../ui/timestamp.tsx';
import { AssignForm } from './assign-form.tsx';
import { Assignee } from './assignee.tsx';
import { EndSnooze } from './end-snooze.tsx';
import type { Followed } from './followed.ts';
import { SnoozeForm } from './snooze-form.tsx';

/** The assignee of an experiment, and its snooze. */
export function FollowUpSection({ followed }: { followed: Followed }) {
  const [opened, setOpened] = useState<'assign' | 'snooze'>();
  const close = () => setOpened(undefined);
  return (
    <Section title="Follow-up">
      <DescriptionList
        items={[
          ['Assigned to', <Assignee key="assignee" followed={followed} onAssign={() => setOpened('assign')} />],
          ['Snoozed', <Snoozed key="snooze" followed={followed} onSnooze={() => setOpened('snooze')} />],
        ]}
      />
      <FormDialog opened={opened !== undefined} onClose={close}>
        {opened === 'assign' ? <AssignForm followed={followed} onClose={close} /> : null}
        {opened === 'snooze' ? <SnoozeForm followed={followed} onClose={close} /> : null}
      </FormDialog>
    </Section>
  );
}

function Snoozed({ followed: { experiment, cohort, snooze }, onSnooze }: { followed: Followed; onSnooze: () => void }) {
  const maySnooze = useCohortPermission(cohort, 'sample_update');
  return (
    <>
      {snooze ? <SnoozeText snooze={snooze} /> : 'No'}
      {maySnooze && snooze ? <EndSnooze experiment={experiment} /> : null}
      {maySnooze && !snooze ? (
        <Button variant="subtle" aria-label={`Snooze ${experiment.label}`} onClick={onSnooze}>
          Snooze
        </Button>
      ) : null}
    </>
  );
}

/** `until 14 Nov, 08:00 by J. Jansen: The site answers on Thursday.` */
export const SnoozeText = ({ snooze }: { snooze: NonNullable<Followed['snooze']> }) => (
  <span dir="auto">
    until <Timestamp at={snooze.until} as="short" /> by {snooze.by.name}
    {snooze.note === '' ? '' : `: ${snooze.note}`}
  </span>
);
