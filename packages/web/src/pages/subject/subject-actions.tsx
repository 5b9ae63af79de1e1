import { Button } from '@mantine/core';
import { useState } from 'react';
import { useMayIn } from '../../session/session-context.ts';
import { EraseDialog } from './erase-dialog.tsx';
import { WithdrawDialog } from './withdraw-dialog.tsx';

interface Props {
  subject: { id: number; label: string; cohort: { id: number }; withdrawn: { erased_at: string | null } | null };
}

/** One at a time: whoever takes part can withdraw, and who has withdrawn can be erased. */
export function SubjectActions({ subject }: Props) {
  const [opened, setOpened] = useState<'withdraw' | 'erase'>();
  const mayWithdraw = useMayIn(subject.cohort, 'sample_update') && subject.withdrawn === null;
  const mayErase = useMayIn(subject.cohort, 'sample_delete') && subject.withdrawn?.erased_at === null;
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
