/** The example files that the pages offer have no mistakes and no warnings. */
import { lintConfiguration, lintWorkflow } from '@milepost/definitions';
import { expect, it } from 'vitest';
import { exampleConfiguration } from '../packages/web/src/pages/configuration/example-configuration.ts';
import { exampleWorkflow } from '../packages/web/src/pages/workflows/import/example-workflow.ts';

it('the example workflow has no findings', () => {
  expect(lintWorkflow(exampleWorkflow)).toEqual([]);
});

it('the example configuration has no findings', () => {
  expect(lintConfiguration(exampleConfiguration)).toEqual([]);
});
