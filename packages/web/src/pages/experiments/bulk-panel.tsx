/** Beside the table: the form for a bulk operation, or the progress of the one that was started. */
import { lazy, Suspense } from 'react';
import type { useBulk } from './use-bulk.ts';

const BulkDrawer = lazy(async () => ({ default: (await import('../../bulk/bulk-drawer.tsx')).BulkDrawer }));
const ProgressDrawer = lazy(async () => ({ default: (await import('../../bulk/progress-drawer.tsx')).ProgressDrawer }));

export const isPanelOpen = ({ kind, operationId }: ReturnType<typeof useBulk>): boolean =>
  kind !== undefined || operationId !== undefined;

export const BulkPanel = ({ bulk }: { bulk: ReturnType<typeof useBulk> }) => (
  <Suspense>
    {bulk.operationId === undefined ? null : <ProgressDrawer id={bulk.operationId} onClose={bulk.close} />}
    {bulk.kind && bulk.chosen ? (
      <BulkDrawer
        key={bulk.kind}
        kind={bulk.kind}
        chosen={bulk.chosen}
        onApplied={bulk.showProgress}
        onClose={bulk.close}
      />
    ) : null}
  </Suspense>
);
