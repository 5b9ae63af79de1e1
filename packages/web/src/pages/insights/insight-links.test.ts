import { queries } from '@milepost/api';
import { describe, expect, it } from 'vitest';
import { insightLinks } from './insight-links.ts';

const queryIn = (path: string) => new URL(path, 'https://milepost.example.org').searchParams.get('q') ?? '';

describe('links to the counted experiments', () => {
  const links = insightLinks({ workflow: 'brain mri', cohort: 'memory', q: 'scanned:2026' });

  it.each([
    [links.inStates(['arrived', 're, jected']), 'state:arrived,"re, jected"'],
    [links.arrivedIn('2026-11-09'), 'arrived:2026-11-09..2026-11-15'],
    [links.finishedIn('2026-11-30'), 'finished:2026-11-30..2026-12-06'],
    [
      links.finishedAs('re, jected', '2026-11-09'),
      'finished:2026-11-09..2026-11-15 entered."re, jected":2026-11-09..2026-11-15',
    ],
    [links.leftSince('visual qc', '2026-08-31'), 'left."visual qc":2026-08-31..'],
    [links.decidedSince('visual_qc', '2026-08-31'), 'decided.visual_qc:2026-08-31..'],
    [links.failedSince('9-5d41402abc4b2a76', '2026-08-31'), 'failed.9-5d41402abc4b2a76:2026-08-31..'],
    [links.failedIn('9-none', '2026-11-09'), 'failed.9-none:2026-11-09..2026-11-15'],
    [links.retriedSince('9-none', '2026-08-31'), 'retried.9-none:2026-08-31..'],
    [links.withVariable('scanner', 'Prisma fit'), 'var.scanner:"Prisma fit"'],
  ])('%s has a correct query', (path, terms) => {
    expect(queryIn(path)).toBe(`scanned:2026 workflow:"brain mri" cohort:memory ${terms} withdrawn:no`);
    expect(queries.readQuery(queryIn(path)).errors).toEqual([]);
  });

  it('leave out what the page does not filter', () => {
    const path = insightLinks({ workflow: 'ct', cohort: undefined, q: '' }).inStates(['a']);
    expect(queryIn(path)).toBe('workflow:ct state:a withdrawn:no');
  });
});
