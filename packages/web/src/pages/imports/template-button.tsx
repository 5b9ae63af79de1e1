import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { noEvents, operationQuery } from '../../api/operation-query.ts';
import { saveFile } from '../../ui/save-file.ts';
import { templateText } from './template.ts';
import { useSystems } from './use-systems.ts';

/** No event announces a scan type. */
const scantypesQuery = operationQuery('listScantypes', { query: { limit: 100 } }, noEvents);

export function TemplateButton({ className = '' }: { className?: string | undefined }) {
  const systems = useSystems();
  const scantypes = useQuery(scantypesQuery);
  const protocols = scantypes.data?.scantypes.map(({ protocol }) => protocol) ?? [];
  const text = () => templateText({ systems: systems.data ?? [], protocols });
  return (
    <Button
      variant="subtle"
      className={className}
      loading={systems.isPending || scantypes.isPending}
      onClick={() => saveFile('import-template.csv', [text()], 'text/csv')}
    >
      Download the template
    </Button>
  );
}
