/** Explains the seven nouns of Milepost, in the order in which a new user meets them. */
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { basePath } from '../../api/client.ts';
import { KeysList } from '../../frame/keys-dialog.tsx';
import { paths } from '../../paths.ts';
import { PageHead, useTitle } from '../../ui/page-layout.tsx';
import { Section } from '../../ui/section.tsx';
import styles from './help.module.css';

const nouns: readonly [noun: string, meaning: ReactNode][] = [
  [
    'Cohort',
    <>
      A group of subjects that belong to one study or one part of a study. Permissions can be limited to{' '}
      <Link to={paths.cohorts}>cohorts</Link>.
    </>,
  ],
  [
    'Subject',
    'A participant, under a pseudonym. A subject who withdraws stays visible, but nothing runs for them any more.',
  ],
  [
    'Experiment',
    <>
      One visit or session of a subject, such as an imaging session with its scans.{' '}
      <Link to={paths.experiments}>Experiments</Link> move through the states of a workflow.
    </>,
  ],
  [
    'Workflow',
    <>
      The states that an experiment can have and the transitions between them, from a file that you import.{' '}
      <Link to={paths.workflows}>Workflows</Link> are drawn as graphs with the number of experiments in each state.
    </>,
  ],
  [
    'State',
    'Where an experiment is now. In some states a person decides what comes next. A final state has no next state.',
  ],
  [
    'Callback',
    'What Milepost does when an experiment enters a state: start a pipeline, check something, send an e-mail, or wait for another system.',
  ],
  [
    'Run',
    <>
      One execution of a callback for one experiment, with its log and result. The results decide the next state. Runs
      that fail or wait for too long are on <Link to={paths.attention}>Needs attention</Link>.
    </>,
  ],
];

export function HelpPage() {
  useTitle('Help');
  return (
    <>
      <PageHead
        title="How Milepost works"
        about="A cohort has subjects, a subject has experiments, and each experiment is in one state of a workflow."
      />
      <dl className={styles['nouns']}>
        {nouns.map(([noun, meaning]) => (
          <div key={noun}>
            <dt>{noun}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <Section title="Keyboard shortcuts">
        <KeysList />
      </Section>
      <Section title="For programs">
        <p className={styles['text']}>
          Everything that these pages do is also in the <a href={`${basePath}/docs`}>API reference</a>. Programs use API
          tokens, which you create on <Link to={paths.account}>your account</Link> or which an administrator gives you.
        </p>
      </Section>
    </>
  );
}
