/** The page of an import: the text on one side; its faults, or the plan of the import, on the other. */
import { Button } from '@mantine/core';
import { useRef, type ReactNode, type RefObject } from 'react';
import { Link } from 'react-router';
import { usePermission, type Permission } from '../session/session-context.ts';
import { LeaveWarning } from '../ui/leave-warning.tsx';
import { NotAllowed } from '../ui/not-allowed.tsx';
import { PageHead } from '../ui/page-layout.tsx';
import { Loading } from '../ui/placeholders.tsx';
import { ProblemNote } from '../ui/problem-note.tsx';
import { MutedText } from '../ui/section.tsx';
import { unavailable } from '../ui/unavailable.ts';
import { faultsOf, warningsOf, warningsOfRejected } from './faults.ts';
import { Findings } from './findings.tsx';
import { TextEditor } from './text-editor.tsx';
import type { DefinitionImport } from './use-definition-import.ts';
import styles from './definition-import.module.css';

interface Warned {
  warnings: Parameters<typeof warningsOf>[0];
}

interface Props<Options, Plan extends Warned, Result> {
  title: string;
  about: ReactNode;
  /** What a user without the permission cannot import: `workflows`. */
  imported: string;
  permission: Permission;
  /** The name of the file: `Workflow file`. */
  label: string;
  of: DefinitionImport<Options, Plan, Result>;
  /** Where "Cancel" leads. */
  back: string;
  /** Why the plan cannot be carried out. */
  obstacleTo: (plan: Plan) => string | undefined;
  /** A small file to start from, if there is no text yet. */
  example?: string;
  /** Above the text. */
  options?: ReactNode;
  children: (plan: Plan) => ReactNode;
}

export function ImportLayout<Options, Plan extends Warned, Result>(props: Props<Options, Plan, Result>) {
  const { title, about, imported, permission } = props;
  if (usePermission(permission)) return <Import {...props} />;
  return (
    <>
      <PageHead title={title} about={about} />
      <NotAllowed to={`import ${imported}`} permission={permission} />
    </>
  );
}

function Import<Options, Plan extends Warned, Result>(props: Props<Options, Plan, Result>) {
  const { title, about, label, of, back, options, example, children } = props;
  const area = useRef<HTMLTextAreaElement>(null);
  const faults = faultsOf(of.error);
  const faulty = new Set(faults.flatMap(({ place }) => (place ? [place.line] : [])));
  const { text } = of.draft;
  return (
    <>
      <PageHead title={title} about={about}>
        <Button component={Link} to={back}>
          Cancel
        </Button>
        <Submit {...props} />
      </PageHead>
      <LeaveWarning what="the changes to the file" isUnsaved={of.isUnsaved} />
      {options}
      <div className={styles['columns']}>
        <TextEditor
          label={label}
          text={text}
          onText={of.setText}
          onFile={of.setFile}
          faulty={faulty}
          area={area}
          onSubmit={of.check}
        />
        <div className={styles['result']}>
          <Findings kind="fault" findings={faults} text={text} area={area} />
          <Findings kind="warning" findings={warningsOfRejected(of.error)} text={text} area={area} />
          {of.error && faults.length === 0 ? <ProblemNote error={of.error} /> : null}
          {of.plan ? (
            <>
              {children(of.plan)}
              <Findings kind="warning" findings={warningsOf(of.plan.warnings)} text={text} area={area} />
            </>
          ) : of.isPending ? (
            <Loading what="the plan" />
          ) : of.error ? null : (
            <>
              <MutedText>
                Check the file to see what the import would do. Nothing changes until you import it.
              </MutedText>
              {example !== undefined && of.draft.text === '' ? (
                <ExampleButton onChoose={() => of.setText(example)} area={area} />
              ) : null}
            </>
          )}
        </div>
      </div>
    </>
  );
}

/** Disappears when there is a text, so it moves the focus, which would be lost. */
const ExampleButton = ({ onChoose, area }: { onChoose: () => void; area: RefObject<HTMLTextAreaElement | null> }) => (
  <Button
    className={styles['example']}
    onClick={() => {
      onChoose();
      area.current?.focus();
    }}
  >
    Start with an example
  </Button>
);

/** The file is checked first. Its plan can then be carried out. */
function Submit<Options, Plan extends Warned, Result>({ of, obstacleTo }: Props<Options, Plan, Result>) {
  const isImport = of.isChecked && of.plan !== undefined;
  const isEmpty = of.draft.text.trim() === '';
  return (
    <Button
      variant="filled"
      loading={of.isPending}
      onClick={isImport ? of.run : of.check}
      {...unavailable(isEmpty ? 'Choose a file or enter its text.' : isImport && of.plan && obstacleTo(of.plan))}
    >
      {isImport ? 'Import' : 'Check'}
    </Button>
  );
}
