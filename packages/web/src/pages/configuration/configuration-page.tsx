/** Imports a configuration file: roles, users, external systems and scan types. */
import { client } from '../../api/client.ts';
import type { BodyOf } from '../../api/operation-query.ts';
import { ImportLayout } from '../../definition-import/import-layout.tsx';
import { NameList } from '../../definition-import/name-list.tsx';
import { useDefinitionImport, type Draft } from '../../definition-import/use-definition-import.ts';
import { paths } from '../../paths.ts';
import { announceDone } from '../../ui/announcements.tsx';
import { countOf } from '../../ui/numbers.ts';
import { useTitle } from '../../ui/page-layout.tsx';
import { Section } from '../../ui/section.tsx';
import { exampleConfiguration } from './example-configuration.ts';
import styles from '../../definition-import/definition-import.module.css';

type Mode = 'add' | 'overwrite';
type Imported = BodyOf<'importConfig'>;

const send = ({ text, options }: Draft<Mode>, query: { dry_run?: boolean }): Promise<Imported> => {
  const call = { query, body: { config_definition: text } };
  return options === 'add' ? client.importConfig(call) : client.overwriteConfig(call);
};

const partsOf = ({ roles, users, external_systems, scantypes }: Imported) =>
  [
    ['Roles', roles.map(({ name }) => name)],
    ['Users', users.map(({ username }) => username)],
    ['Systems', external_systems.map(({ system_name }) => system_name)],
    ['Scan types', scantypes.map(({ protocol }) => protocol)],
  ] as const;

const sizeOf = (imported: Imported) => partsOf(imported).reduce((sum, [, names]) => sum + names.length, 0);

const modes: readonly [mode: Mode, name: string][] = [
  ['add', 'Add new entries only'],
  ['overwrite', 'Also overwrite existing entries'],
];

export function ConfigurationPage() {
  useTitle('Import configuration');
  const of = useDefinitionImport<Mode, Imported, Imported>({
    first: { text: '', options: 'add' },
    check: (draft) => send(draft, { dry_run: true }),
    run: (draft) => send(draft, {}),
    onImported: (imported) => {
      announceDone(`Imported ${countOf(sizeOf(imported), 'entry', 'entries')}.`);
      of.check();
    },
  });
  return (
    <ImportLayout
      title="Import configuration"
      about="A configuration file has roles, users, external systems and scan types. An import removes nothing."
      imported="configuration files"
      permission="config_manage"
      label="Configuration file"
      of={of}
      example={exampleConfiguration}
      back={paths.attention}
      obstacleTo={(plan) => (sizeOf(plan) > 0 ? undefined : 'There is nothing to import.')}
      options={<Modes mode={of.draft.options} onChange={of.setOptions} />}
    >
      {(plan) => <ConfigurationPlan plan={plan} mode={of.draft.options} />}
    </ImportLayout>
  );
}

const Modes = ({ mode, onChange }: { mode: Mode; onChange: (mode: Mode) => void }) => (
  <fieldset className={styles['options']}>
    <legend>Entries of the file</legend>
    {modes.map(([value, name]) => (
      <label key={value}>
        <input type="radio" name="mode" checked={mode === value} onChange={() => onChange(value)} />
        {name}
      </label>
    ))}
  </fieldset>
);

const ConfigurationPlan = ({ plan, mode }: { plan: Imported; mode: Mode }) => (
  <Section title="Plan">
    {sizeOf(plan) === 0 ? (
      <p>
        {mode === 'add'
          ? 'All entries of the file exist. There is nothing to add.'
          : 'All entries of the file exist with the same values. There is nothing to import.'}
      </p>
    ) : (
      <dl className={styles['changes']}>
        {partsOf(plan).map(([title, names]) =>
          names.length === 0 ? null : (
            <div key={title}>
              <dt>{title}</dt>
              <dd>
                <b data-kind={mode === 'add' ? 'added' : 'changed'}>{mode === 'add' ? 'Added' : 'Added or changed'}</b>{' '}
                <NameList names={names} />
              </dd>
            </div>
          ),
        )}
      </dl>
    )}
  </Section>
);
