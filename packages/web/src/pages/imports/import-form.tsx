/** The file and its cohort. The upload starts as soon as both are known. */
import { Button, Select } from '@mantine/core';
import { encodings, type Encoding } from '@milepost/api';
import { useState } from 'react';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { FileInput } from './file-input.tsx';
import { fileProblem } from './file-problem.ts';
import { encodingNames } from './import-words.ts';
import { useStart, type Start } from './start.ts';
import { TemplateButton } from './template-button.tsx';
import { FileChanged, NotUtf8, useUpload } from './use-upload.ts';
import styles from './import-form.module.css';

interface Ref {
  id: number;
  label: string;
}

interface Props {
  cohorts: readonly Ref[];
  workflows: readonly Ref[];
}

type Fields = Omit<Start, 'replaces'> & { file: File | undefined };

const choicesOf = (refs: readonly Ref[]) => refs.map(({ id, label }) => ({ value: String(id), label }));
const valueOf = (id: number | undefined) => (id === undefined ? null : String(id));

/** The only cohort is chosen at once. */
function firstCohort(given: number | undefined, cohorts: readonly Ref[]): number | undefined {
  if (cohorts.some(({ id }) => id === given)) return given;
  return cohorts.length === 1 ? cohorts[0]?.id : undefined;
}

function useFields({ cohorts, workflows }: Props) {
  const { cohortId, encoding, workflowId, replaces } = useStart();
  const [fields, setFields] = useState<Fields>({
    file: undefined,
    cohortId: firstCohort(cohortId, cohorts),
    encoding,
    workflowId: workflows.some(({ id }) => id === workflowId) ? workflowId : undefined,
  });
  const upload = useUpload(replaces);
  const problem = fields.file && fileProblem(fields.file);
  const change = (part: Partial<Fields>) => {
    const next = { ...fields, ...part };
    setFields(next);
    const { file, cohortId: cohort } = next;
    if (file && cohort !== undefined && fileProblem(file) === undefined)
      upload.start({ ...next, file, cohortId: cohort });
  };
  const cancel = () => {
    upload.cancel();
    // Otherwise, the next change would upload it again.
    setFields({ ...fields, file: undefined });
  };
  return { fields, change, cancel, upload, problem };
}

export function ImportForm(props: Props) {
  const { fields, change, cancel, upload, problem } = useFields(props);
  const { file, cohortId } = fields;
  const needsCohort = file !== undefined && problem === undefined && cohortId === undefined;
  const changed = upload.error instanceof FileChanged ? upload.error.message : undefined;
  const status = upload.isPending ? 'Uploading…' : needsCohort ? 'Choose a cohort to upload it.' : undefined;
  return (
    <div className={styles['form']}>
      <FileInput
        file={file}
        problem={problem ?? changed}
        status={status}
        disabled={upload.isPending}
        onChoose={(chosen) => change({ file: chosen })}
      />
      {upload.error && changed === undefined ? (
        <UploadProblem error={upload.error} onRead={(encoding) => change({ encoding })} />
      ) : null}
      {upload.isPending ? (
        <>
          <p className={styles['progress']}>
            <progress aria-label="Upload" max={100} value={upload.percent} />
            <span aria-hidden="true">{upload.percent}%</span>
          </p>
          <Button onClick={cancel}>Cancel upload</Button>
        </>
      ) : null}
      <CohortField
        key={String(needsCohort)}
        cohorts={props.cohorts}
        value={cohortId}
        opensAtOnce={needsCohort}
        disabled={upload.isPending}
        onChange={(id) => change({ cohortId: id })}
      />
      <Options fields={fields} workflows={props.workflows} disabled={upload.isPending} onChange={change} />
      <TemplateButton className={styles['template']} />
    </div>
  );
}

interface ProblemProps {
  error: unknown;
  onRead: (encoding: Encoding) => void;
}

const UploadProblem = ({ error, onRead }: ProblemProps) =>
  error instanceof NotUtf8 ? (
    <div>
      <p role="alert">The file is not UTF-8. Spreadsheets often save files in Windows-1252.</p>
      <Button className={styles['reread'] ?? ''} onClick={() => onRead('windows-1252')}>
        Read it as Windows-1252
      </Button>
    </div>
  ) : (
    <ProblemNote error={error} />
  );

interface CohortProps {
  cohorts: readonly Ref[];
  value: number | undefined;
  /** After the file was chosen, the cohort is the next step. */
  opensAtOnce: boolean;
  disabled: boolean;
  onChange: (id: number) => void;
}

const CohortField = ({ cohorts, value, opensAtOnce, disabled, onChange }: CohortProps) => (
  <Select
    label="Cohort"
    placeholder="Choose a cohort"
    data={choicesOf(cohorts)}
    value={valueOf(value)}
    onChange={(id) => id !== null && onChange(Number(id))}
    allowDeselect={false}
    defaultDropdownOpened={opensAtOnce}
    autoFocus={opensAtOnce}
    searchable={cohorts.length > 8}
    nothingFoundMessage="No cohort has this name."
    disabled={disabled}
  />
);

interface OptionsProps {
  fields: Fields;
  workflows: readonly Ref[];
  disabled: boolean;
  onChange: (part: Partial<Fields>) => void;
}

const Options = ({ fields: { encoding, workflowId }, workflows, disabled, onChange }: OptionsProps) => (
  <div className={styles['pair']}>
    <Select
      label="Encoding"
      data={encodings.map((value) => ({ value, label: encodingNames[value] }))}
      value={encoding}
      onChange={(value) => value !== null && onChange({ encoding: value })}
      allowDeselect={false}
      disabled={disabled}
    />
    {workflows.length === 0 ? null : (
      <Select
        label="Workflow for new experiments"
        data={choicesOf(workflows)}
        value={valueOf(workflowId ?? workflows.at(-1)?.id)}
        onChange={(id) => id !== null && onChange({ workflowId: Number(id) })}
        allowDeselect={false}
        searchable={workflows.length > 8}
        disabled={disabled}
      />
    )}
  </div>
);
