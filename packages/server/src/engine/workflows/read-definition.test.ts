import { readDefinitionFile } from '@milepost/definitions';
import { describe, expect, it } from 'vitest';
import { readDefinition } from './read-definition.ts';

const sample = 'label: w\nstates:\n  - label: a\n    transitions: [{destination: b, by: engine}]\n  - label: b\n';
const pointer = '/workflow_definition';

describe('a workflow file of more than 8 KiB', () => {
  const long = `${sample}# ${'x'.repeat(9000)}\n`;

  it('is read in a thread with the same result', async () => {
    expect(await readDefinition(long, pointer)).toEqual(readDefinitionFile(sample, pointer));
  });

  it('is read in a thread with the positions of its errors', async () => {
    const { faults } = await readDefinition(long.replace('by: engine', 'by: nobody'), pointer);
    expect(faults).toMatchObject([{ pointer, line: 4, column: 40 }]);
  });
});
