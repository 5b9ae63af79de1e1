/** Chooses a saved mapping of the cohort, or saves the current one. */
import { Button, Menu } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { noEvents, operationQuery } from '../../api/operation-query.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { unavailable } from '../../ui/unavailable.ts';
import type { Import, ImportColumn } from './import-words.ts';
import { isSameMapping, mappingOf, withMapping } from './mapping.ts';
import { SaveMappingForm } from './save-mapping-form.tsx';
import styles from './imports.module.css';

interface Props {
  of: Import;
  onChoose: (columns: ImportColumn[]) => void;
}

/** A cohort has up to 100, which is one page. Another user can change them. */
const useMappings = (cohortId: number) =>
  useQuery({
    ...operationQuery('listImportMappings', { params: { id: cohortId }, query: { limit: 100 } }, noEvents),
    staleTime: 0,
  });

export function MappingMenu({ of, onChoose }: Props) {
  const [isSaving, setIsSaving] = useState(false);
  const { data } = useMappings(of.cohort.id);
  const mappings = data?.mappings ?? [];
  const current = mappings.find(({ columns }) => isSameMapping(columns, mappingOf(of.columns)));
  const isInFile = (columns: object) => of.columns.some(({ header }) => Object.hasOwn(columns, header));
  const close = () => setIsSaving(false);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <button type="button" className={styles['targetButton']} data-quiet>
            <bdi>{current ? `Mapping: ${current.name} (saved)` : 'Mapping: not saved'}</bdi>
            <Icon name="down" size={12} />
          </button>
        </Menu.Target>
        <Menu.Dropdown mah="70vh" style={{ overflowY: 'auto' }}>
          <Menu.Label>Saved mappings of the cohort</Menu.Label>
          {mappings.length === 0 ? <Menu.Label>None yet</Menu.Label> : null}
          {mappings.map(({ id, name, columns }) => (
            <Menu.Item
              key={id}
              closeMenuOnClick={isInFile(columns)}
              onClick={() => onChoose(withMapping(of.columns, columns))}
              {...unavailable(!isInFile(columns) && 'The file has none of its columns.')}
            >
              <bdi>{name}</bdi>
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item onClick={() => setIsSaving(true)}>
            {current ? 'Save or remove this mapping…' : 'Save this mapping…'}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {current ? null : (
        <Button variant="subtle" className={styles['aside'] ?? ''} onClick={() => setIsSaving(true)}>
          Save this mapping
        </Button>
      )}
      <FormDialog opened={isSaving} onClose={close}>
        <SaveMappingForm of={of} saved={current?.name} onClose={close} />
      </FormDialog>
    </>
  );
}
