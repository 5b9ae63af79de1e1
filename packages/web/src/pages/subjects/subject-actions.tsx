import { Button } from '@mantine/core';
import { useState } from 'react';
import { useCohortPermission } from '../../session/session-context.ts';
import { EraseDialog } from './erase-dialog.tsx';
import { WithdrawDialog } from './withdraw-dialog.tsx';

interface Props {
  subject: { id: number; label: string; cohort: { id: number }; withdrawn: { erased_at: string | null } | null };
}

/** Offers one action at a time: an active subject can be withdrawn, and a withdrawn subject can be erased. */
export function SubjectActions({ subject }: Props) {
  const [opened, setOpened] = useState<'withdraw' | 'erase'>();
  const mayWithdraw = useCohortPermission(subject.cohort, 'sample_update') && subject.withdrawn === null;
  const mayErase = useCohortPermission(subject.cohort, 'sample_delete') && subject.withdrawn?.erased_at === null;
  const onClose = () => setOpened(undefined);
  return (
    <>
      {mayWithdraw ? <Button onClick={() => setOpened('withdraw')}>Withdraw…</Button> : null}
      {mayErase ? <Button onClick={() => setOpened('erase')}>Erase…</Button> : null}
      <WithdrawDialog subject={subject} opened={opened === 'withdraw'} onClose={onClose} />
      <EraseDialog subject={subject} opened={opened === 'erase'} onClose={onClose} />
    </>
  );
}
