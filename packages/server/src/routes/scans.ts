/** How a scan type is shown (specification, section 2, Scantype). */
import type { Links } from '../links.ts';
import type { ScantypeRow } from '../store/scantypes.ts';

export const showScantype = (links: Links, row: ScantypeRow) => ({
  id: row.id,
  modality: row.modality,
  protocol: row.protocol,
  uri: links.uri('scantypes', row.id),
});
