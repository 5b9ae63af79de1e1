import type { Rolldown } from 'vite';
import { describe, expect, it } from 'vitest';
import { firstLoad } from './budget.ts';

const chunk = (fileName: string, facadeModuleId: string, imports: string[] = []) => [
  fileName,
  { type: 'chunk', fileName, facadeModuleId, imports, isEntry: fileName === 'main.js' },
];

const bundleOf = (...chunks: ReturnType<typeof chunk>[]) => Object.fromEntries(chunks) as Rolldown.OutputBundle;

const main = chunk('main.js', '/web/src/main.tsx');

describe('firstLoad', () => {
  it('returns the entry, the first page and their imports', () => {
    const page = chunk('first.js', '/web/src/pages/attention/attention-page.tsx', ['table.js']);
    const bundle = bundleOf(main, page, chunk('table.js', '/web/src/table.ts'), chunk('other.js', '/web/src/o.tsx'));
    expect(firstLoad(bundle)).toEqual(['main.js', 'first.js', 'table.js']);
  });

  it('throws if the bundle has no chunk for the first page', () => {
    expect(() => firstLoad(bundleOf(main))).toThrow('No chunk of the bundle is the first page');
  });
});
