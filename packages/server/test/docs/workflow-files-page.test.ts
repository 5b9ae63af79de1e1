/** Checks that the examples on the page are valid and that the page names every field. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { functionNames, callbackFields, movers, readDefinitionFile } from '@milepost/definitions';

const page = await readFile(new URL('../../../../docs/reference/workflow-files.md', import.meta.url), 'utf8');
const examples = [...page.matchAll(/```yaml\n(.*?)```/gs)].map(([, text = '']) => text);

describe('docs/reference/workflow-files.md', () => {
  it('has an example of each layout', () => {
    expect(examples).toHaveLength(2);
    expect(examples[1]).toContain('source:');
  });

  it.each(examples.map((text) => [text.split('\n', 1)[0] ?? '', text]))(
    'has a valid example that starts with %j',
    (_label, text) => {
      const reading = readDefinitionFile(text, '');
      expect(reading.faults).toEqual([]);
      // Parts of the older layout are ignored with a warning.
      if (!text.includes('source:')) expect(reading.warnings).toEqual([]);
    },
  );

  it('contains the comment that editors use to find the schema, and imports ignore it', () => {
    const [, line = ''] =
      /```\n(# yaml-language-server: \$schema=\S+\/api\/v2\/workflow\.schema\.json\n)```/.exec(page) ?? [];
    expect(line).not.toBe('');
    expect(readDefinitionFile(line + examples[0], '').faults).toEqual([]);
  });

  it.each([
    ...callbackFields,
    ...functionNames,
    ...movers,
    'initial',
    'freetext',
    'callbacks',
    'transitions',
    'destination',
  ])('names `%s`', (name) => {
    expect(page).toContain(`\`${name}\``);
  });
});
