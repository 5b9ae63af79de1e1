import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { noEvents, operationQuery } from '../../api/operation-query.ts';
import { ColumnChoice } from '../../table/column-choice.tsx';
import { externalPrefix, fixedColumns } from './found-columns.tsx';
import { variablePrefix } from './found-fields.ts';

interface Props {
  shown: readonly string[];
  onChange: (shown: string[]) => void;
}

/** The keys that the server suggests, and those that are shown already. */
const keyColumns = (prefix: string, suggested: readonly { text: string }[], shown: readonly string[]) => {
  const ids = [...shown.filter((id) => id.startsWith(prefix)), ...suggested.map(({ text }) => prefix + text)];
  return [...new Set(ids)].map((id) => ({ id, header: id.slice(prefix.length) }));
};

/** The columns of the table, the variables of recent experiments and the external systems. */
export function FoundColumnChoice({ shown, onChange }: Props) {
  const [isNeeded, setIsNeeded] = useState(false);
  const query = (of: 'var' | 'external') => ({
    ...operationQuery('getQueryCompletions', { query: { of } }, noEvents),
    enabled: isNeeded,
  });
  const variables = useQuery(query('var')).data?.completions ?? [];
  const systems = useQuery(query('external')).data?.completions ?? [];
  return (
    <ColumnChoice
      groups={[
        { columns: fixedColumns },
        { title: 'Variables', columns: keyColumns(variablePrefix, variables, shown) },
        { title: 'External IDs', columns: keyColumns(externalPrefix, systems, shown) },
      ]}
      shown={shown}
      onToggle={(id) => onChange(shown.includes(id) ? shown.filter((one) => one !== id) : [...shown, id])}
      onOpen={() => setIsNeeded(true)}
    />
  );
}
