/** Prepares a bulk operation: what to do, the dry run, the reason and the rate. */
import { Button, Select, Textarea } from '@mantine/core';
import type { BulkKind } from '@milepost/api';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState, type FormEvent, type ReactNode } from 'react';
import { client } from '../api/client.ts';
import { countOf } from '../ui/numbers.ts';
import { ProblemNote } from '../ui/problem-note.tsx';
import { showOperation } from './bulk-queries.ts';
import { wordsOf, type BulkOperation } from './bulk-words.ts';
import { ChangeFields, firstChange } from './change-fields.tsx';
import { chosenText, type Chosen } from './chosen.ts';
import { DryRun } from './dry-run.tsx';
import { rateChoices, usualRate } from './rates.ts';
import { RecentOperations } from './recent-operations.tsx';
import { SidePanel } from './side-panel.tsx';
import { useDryRun, type Change } from './use-dry-run.ts';
import styles from './bulk.module.css';

interface Props {
  kind: BulkKind;
  chosen: Chosen;
  /** If it is known already, the drawer has no fields for it. */
  change?: Change;
  /** What the change is, instead of the fields. */
  about?: ReactNode;
  reason?: string;
  onApplied: (id: number) => void;
  onClose: () => void;
}

function useApply(onApplied: (operation: BulkOperation) => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, reason, rate }: { id: number; reason: string; rate: number }) =>
      client.applyBulkOperation({ params: { id }, body: { reason, rate } }),
    onSuccess: (operation) => {
      showOperation(queryClient, operation);
      onApplied(operation);
    },
  });
}

export function BulkDrawer({ kind, chosen, change: given, about, reason: before = '', onApplied, onClose }: Props) {
  const [entered, setEntered] = useState<Change | undefined>(() => firstChange(kind));
  const [reason, setReason] = useState(before);
  const [rate, setRate] = useState(usualRate);
  const change = given ?? entered;
  const dryRun = useDryRun(change && { kind, ...chosen.of, ...change });
  const { operation } = dryRun;
  const apply = useApply(({ id }) => onApplied(id));
  const whyId = useId();
  const isChecked = operation?.status === 'checked';
  const ready = isChecked ? operation.ready : 0;
  const missing = missingFor({ hasChange: change !== undefined, isChecked, ready, reason });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!operation || missing !== undefined) return;
    // The request can take effect even if no response arrives, so leaving must not stop the operation.
    dryRun.keep(operation.id);
    apply.mutate({ id: operation.id, reason: reason.trim(), rate: Number(rate) });
  };
  const experiments = isChecked ? countOf(operation.experiments, 'experiment') : chosenText(chosen);
  return (
    <SidePanel title={wordsOf(kind).title(experiments)} onClose={onClose} foot={<RecentOperations />}>
      <form className={styles['form']} onSubmit={submit}>
        <div className={styles['block']}>
          {about ?? <ChangeFields kind={kind} chosen={chosen} onChange={setEntered} />}
        </div>
        {change ? <DryRun kind={kind} operation={operation} error={dryRun.error} onAgain={dryRun.again} /> : null}
        <Reason value={reason} onChange={setReason} />
        <Rate value={rate} onChange={setRate} experiments={ready} />
        {apply.error ? <ProblemNote error={apply.error} /> : null}
        <div className={styles['buttons']}>
          <Button
            type="submit"
            variant="filled"
            loading={apply.isPending}
            {...(missing === undefined ? {} : { 'aria-disabled': true, 'aria-describedby': whyId })}
          >
            {isChecked ? wordsOf(kind).action(ready) : wordsOf(kind).name}
          </Button>
          <Button onClick={onClose}>Cancel</Button>
          <span id={whyId} className={styles['quiet']}>
            {missing ?? 'You can stop it anytime.'}
          </span>
        </div>
      </form>
    </SidePanel>
  );
}

interface Preparation {
  hasChange: boolean;
  isChecked: boolean;
  /** The number of experiments that can be changed. */
  ready: number;
  reason: string;
}

/** Why the operation cannot be applied yet. */
function missingFor({ hasChange, isChecked, ready, reason }: Preparation): string | undefined {
  if (!hasChange) return 'Complete the fields above.';
  if (!isChecked) return 'The dry run has not finished.';
  if (ready === 0) return 'No experiment can be changed.';
  return reason.trim() === '' ? 'Enter a reason.' : undefined;
}

const Reason = ({ value, onChange }: { value: string; onChange: (text: string) => void }) => (
  <Textarea
    className={styles['block'] ?? ''}
    label={
      <span className={styles['label']}>
        Reason <small>Required</small>
      </span>
    }
    aria-label="Reason"
    labelProps={{ className: styles['wholeWidth'] ?? '' }}
    placeholder="Shown in the timelines and the audit log"
    required
    withAsterisk={false}
    autosize
    minRows={2}
    maxRows={8}
    maxLength={10_000}
    dir="auto"
    value={value}
    onChange={({ currentTarget }) => onChange(currentTarget.value)}
  />
);

const Rate = (props: { value: string; onChange: (rate: string) => void; experiments: number }) => (
  <Select
    className={styles['block'] ?? ''}
    label="Rate"
    data={rateChoices(props.experiments)}
    value={props.value}
    onChange={(rate) => rate !== null && props.onChange(rate)}
    allowDeselect={false}
  />
);
