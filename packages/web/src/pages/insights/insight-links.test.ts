import { queries } from '@milepost/api';
import { describe, expect, it } from 'vitest';
import { insightLinks } from './insight-links.ts';

const queryIn = (path: string) => new URL(path, 'https://milepost.example.org').searchParams.get('q') ?? '';

describe('links to the counted experiments', () => {
  const links = insightLinks({ workflow: 'brain mri', cohort: 'memory', q: 'scanned:2026' });

  it.each([
    [links.inStates(['arrived']), 'scanned:2026 workflow:"brain mri" cohort:memory state:arrived'],
    [
      links.movedIn(['accepted', 're, jected'], '2026-11-09'),
      'scanned:2026 workflow:"brain mri" cohort:memory state:accepted,"re, jected" changed:2026-11-09..2026-11-15',
    ],
    [
      links.withVariable('scanner', 'Prisma fit'),
      'scanned:2026 workflow:"brain mri" cohort:memory var.scanner:"Prisma fit"',
    ],
    [insightLinks({ workflow: 'ct', cohort: undefined, q: '' }).inStates(['a']), 'workflow:ct state:a'],
  ])('%s has a correct query', (path, query) => {
    expect(queryIn(path)).toBe(query);
    expect(queries.readQuery(queryIn(path)).errors).toEqual([]);
  });
});
