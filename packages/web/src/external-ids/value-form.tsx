/** Adds, changes or removes the ID or URL of an object in one external system. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { operationQuery } from '../api/operation-query.ts';
import { ConflictNote } from '../forms/conflict-note.tsx';
import type { Field } from '../forms/field.tsx';
import { FieldsForm } from '../forms/fields-form.tsx';
import { FirstStep } from '../forms/first-step.tsx';
import { Conflict, type Version } from '../forms/save-changes.ts';
import { useOpened, useSaving, type EditProps } from '../forms/use-editing.ts';
import { paths } from '../paths.ts';
import { useCohortPermission, usePermission } from '../session/session-context.ts';
import { QueryErrors } from '../ui/query-result.tsx';
import { Loading } from '../ui/placeholders.tsx';
import { kinds, type BySystem, type Owner } from './kinds.ts';

interface Props {
  owner: Owner;
  /** The external system whose value is changed. Without one, a value is added. */
  system?: string;
  onClose: () => void;
}

const systemsQuery = operationQuery('listExternalSystems', {}, ({ object_kind }) => object_kind === 'external_system');

/** One value is changed at a time. */
const editingOf = ({ owner: { kind, id }, onClose }: Props): EditProps<BySystem, string> => ({
  of: [`${kind} in external systems`, id],
  read: () => kinds[kind].read(id),
  send: async (changes, to) => {
    const [[system_name, text] = ['', '']] = Object.entries(changes);
    const params = { id, system_name };
    if (text) await kinds[kind].set(to, params, text);
    else await kinds[kind].remove(to, params);
    return `${text ? 'Saved' : 'Removed'} the ${kinds[kind].noun} in ${system_name}.`;
  },
  shownBy: kinds[kind].shownBy,
  done: (message) => message,
  onClose,
});

export function ValueForm(props: Props) {
  const systems = useQuery(systemsQuery);
  const opened = useOpened(editingOf(props));
  if (!systems.data || !opened.data) {
    return systems.error || opened.error ? (
      <QueryErrors queries={[systems, opened]} />
    ) : (
      <Loading what="external systems" />
    );
  }
  const names = systems.data.external_systems.map(({ system_name }) => system_name);
  const { texts } = opened.data;
  const free = names.filter((name) => texts[name] === undefined);
  return props.system === undefined && free.length === 0 ? (
    <NoSystems noun={kinds[props.owner.kind].noun} isEmpty={names.length === 0} onClose={props.onClose} />
  ) : (
    <OpenedForm {...props} opened={opened.data} free={free} />
  );
}

interface NoSystemsProps {
  noun: string;
  /** Whether there are no external systems at all. Otherwise each has a value. */
  isEmpty: boolean;
  onClose: () => void;
}

function NoSystems({ noun, isEmpty, onClose }: NoSystemsProps) {
  const mayCreate = usePermission('config_manage');
  return (
    <FirstStep
      title={`Add ${noun}`}
      next={mayCreate ? { name: 'External systems', to: paths.externalSystems } : undefined}
      onClose={onClose}
    >
      {isEmpty ? 'There are no external systems yet.' : `Every external system already has an ${noun} here.`}{' '}
      {mayCreate ? 'Create an external system first.' : 'Ask an administrator to create an external system.'}
    </FirstStep>
  );
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function fieldsOf({ kind }: Owner, free: readonly string[] | undefined): Field[] {
  const choices = free?.map((name) => ({ value: name, label: name }));
  const { noun, field } = kinds[kind];
  return [
    ...(choices
      ? [{ name: 'system', label: 'External system', kind: 'choice', required: true, choices } satisfies Field]
      : []),
    { name: field, label: capitalised(noun), required: true, maxLength: 1024 },
  ];
}

interface OpenedProps extends Props {
  opened: Version<BySystem>;
  /** The external systems without a value. */
  free: readonly string[];
}

function OpenedForm({ opened, free, ...props }: OpenedProps) {
  const { owner, system, onClose } = props;
  const { noun, field } = kinds[owner.kind];
  const { first, save, conflict } = useSaving(editingOf(props), opened);
  const mayRemove = useCohortPermission(owner.cohort, 'sample_delete') && system !== undefined;
  const only = free.length === 1 ? free[0] : undefined;
  const remove = () => save.mutate({ ...first, [system ?? '']: '' });
  // What is repeated after a conflict.
  const isRemoving = conflict !== undefined && system !== undefined && save.variables?.[system] === '';
  return (
    <FieldsForm
      title={system === undefined ? `Add ${noun}` : `Edit ${noun} in ${system}`}
      action={isRemoving ? 'Remove anyway' : conflict ? 'Overwrite' : system === undefined ? 'Add' : 'Save'}
      fields={fieldsOf(owner, system === undefined ? free : undefined)}
      first={{ system: system ?? only ?? '', [field]: opened.texts[system ?? ''] ?? '' }}
      sending={{ isPending: save.isPending, error: save.error instanceof Conflict ? null : save.error }}
      missingIn={(texts) => {
        if (isRemoving || (texts[field] ?? '').trim() !== (first[texts['system'] ?? ''] ?? '')) return undefined;
        return system === undefined ? `Enter the ${noun}.` : 'Nothing has changed yet.';
      }}
      onSubmit={(texts) =>
        isRemoving ? remove() : save.mutate({ ...first, [texts['system'] ?? '']: texts[field] ?? '' })
      }
      onClose={onClose}
      aside={
        mayRemove ? (
          <Button variant="subtle" disabled={save.isPending} onClick={remove}>
            Remove
          </Button>
        ) : null
      }
    >
      {conflict ? <ConflictNote conflict={conflict} labelOf={(name) => name} /> : null}
    </FieldsForm>
  );
}
