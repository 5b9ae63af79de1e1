/** How the lines of an import become experiments. */
import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { DescriptionList } from '../../ui/description-list.tsx';
import { Section } from '../../ui/section.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';
import { workflowsQuery } from '../workflows/use-workflow.ts';
import type { ImportChange } from './import-queries.ts';
import { isChangeable, type Import, type ImportLine } from './import-words.ts';
import { NamedStateChip } from '../workflows/named-state-chip.tsx';
import { usePreviewLines } from './use-preview-lines.ts';
import styles from './imports.module.css';

interface Props {
  of: Import;
  change: ImportChange;
}

export function ImportSettings({ of, change }: Props) {
  const { data } = usePreviewLines(of);
  return (
    <Section title="Import settings">
      <DescriptionList
        items={[
          ['Workflow', <Workflow key="workflow" of={of} change={change} />],
          ['Start state', startState(of, data?.lines ?? [])],
          ['Faulty lines', 'Skipped'],
          ['Checked', time(of.checked_at)],
          ['Started', time(of.started_at)],
          ['Ended', time(of.ended_at)],
        ]}
      />
    </Section>
  );
}

const time = (at: string | null) => (at === null ? null : <Timestamp at={at} as="short" />);

function Workflow({ of, change }: Props) {
  const { data } = useQuery(workflowsQuery);
  const { workflow } = of;
  const workflows = data?.workflows ?? [];
  if (!isChangeable(of) || workflows.length < 2) return workflow ? <bdi>{workflow.label}</bdi> : 'None';
  const choose = (text: string | null) => {
    const chosen = workflows.find(({ id }) => String(id) === text);
    if (chosen) change.mutate({ update: { workflow_id: chosen.id }, shown: { workflow: chosen } });
  };
  return (
    <Select
      aria-label="Workflow"
      classNames={{ input: styles['inlineSelect'] ?? '' }}
      data={workflows.map(({ id, label }) => ({ value: String(id), label }))}
      value={workflow ? String(workflow.id) : null}
      onChange={choose}
      allowDeselect={false}
      searchable={workflows.length > 8}
    />
  );
}

/** A column gives the states, or all new experiments start in the same one. Null if no experiment in the first lines is new. */
function startState({ columns, workflow }: Import, lines: readonly ImportLine[]) {
  const column = columns.find(({ target }) => target === 'state');
  if (column)
    return (
      <>
        From the column <code dir="auto">{column.header}</code>
      </>
    );
  const created = lines.find((line) => line.new_experiment && line.state !== null);
  return created?.state == null ? null : <NamedStateChip workflow={workflow} label={created.state} />;
}
