import { fileURLToPath } from 'node:url';
import { build, type Rolldown } from 'vite';
import { describe, expect, it } from 'vitest';
import { rejectSchemas } from './reject-schemas.ts';

const virtualEntry = '\0entry';

/** Bundles the given module in memory. */
async function bundle(text: string): Promise<string> {
  const entry = {
    name: 'virtual-entry',
    resolveId: (id: string) => (id === 'entry' ? virtualEntry : undefined),
    load: (id: string) => (id === virtualEntry ? text : undefined),
  };
  const result = await build({
    configFile: false,
    root: fileURLToPath(new URL('..', import.meta.url)),
    logLevel: 'silent',
    plugins: [entry, rejectSchemas()],
    resolve: { conditions: ['source'] },
    build: { write: false, rolldownOptions: { input: 'entry' } },
  });
  const [output] = [result].flat() as Rolldown.RolldownOutput[];
  return (output?.output ?? []).map((file) => (file.type === 'chunk' ? file.code : '')).join('\n');
}

describe('a build with rejectSchemas', () => {
  it('bundles the client with the paths of the operations, but without schemas and examples', async () => {
    const code = await bundle(
      `import { createClient, ProblemError } from '@milepost/api'; self.client = [createClient({ baseUrl: '/' }), ProblemError];`,
    );
    expect(code).toContain('/cohorts/by-label/{label}');
    expect(code).not.toContain('additionalProperties');
    expect(code).not.toContain('memory-clinic-2026');
  });

  it.each([
    `import { operations } from '@milepost/api'; self.table = operations;`,
    `import { incidentStates } from '@milepost/api'; self.states = incidentStates;`,
    `import { Type } from 'typebox'; self.type = Type.String();`,
  ])('fails for the module %j, which adds schemas to the bundle', async (text) => {
    await expect(bundle(text)).rejects.toThrow('is in the bundle');
  });
});
