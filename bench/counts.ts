/**
 * `npm run bench -- counts`: the time of GET /workflows/{id}/counts with many experiments relative to few, both with the same
 * number of unfolded changes and open incidents.
 */
import { compareSizes } from './compare-sizes.ts';

export const benchCounts = () => compareSizes({ name: 'counts', path: '/workflows/1/counts', goal: 2 });
