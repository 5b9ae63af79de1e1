import { asJsonSchema, operationNames, operations, type Operation } from '@milepost/api';
import { describe, expect, it } from 'vitest';
import { everything } from './field-mask.ts';
import { maskReader } from './mask-reader.ts';

const all: [string, Operation][] = operationNames.map((name) => [name, operations[name]]);
const isMasked = ([, { masked }]: [string, Operation]) => masked !== false;

const namesOf = ({ response }: Operation): string[] => {
  const { properties = {}, anyOf = [] } = asJsonSchema(response);
  return Object.keys(Object.assign({}, properties, ...anyOf.map((branch) => branch.properties)));
};

describe.each(all.filter(isMasked))('maskReader of %s', (_name, operation) => {
  const read = maskReader(operation);

  it('accepts every field of the response', () => {
    expect([...read(namesOf(operation).join()).named.keys()]).toEqual(namesOf(operation));
  });

  it('rejects any other name', () => {
    expect(() => read(`${namesOf(operation)[0]},no_such_field`)).toThrow(
      /^X-Fields: "no_such_field" is not a known field\. (Expected one of|Did you mean)/,
    );
  });
});

describe('maskReader', () => {
  it.each(all.filter((one) => !isMasked(one)))('ignores the header for %s', (_name, operation) => {
    expect(maskReader(operation)('{no_such_field')).toBe(everything);
  });

  it.each<[Operation, string]>([
    [operations.getCallbackExecution, '{cohort{subjects{id}},callback{state{label}},result_values{body{usable}}}'],
    [operations.getExperiment, 'variable_map{usable{deep{deeper}}},external_ids{XNAT}'],
    [operations.getExperimentTransitions, 'transitions{condition_parts{value{any}}}'],
    [operations.importWorkflow, 'id,outcome,affected_states{goes_to}'],
    [operations.listScans, 'scans{experiment{id},scantype{*}}'],
  ])('accepts nested names (%#)', (operation, mask) => {
    expect(() => maskReader(operation)(mask)).not.toThrow();
  });

  it('reports at most 20 names', () => {
    const mask = Array.from({ length: 500 }, (_, n) => `x${n}`).join();
    expect(() => maskReader(operations.getCohort)(mask)).toThrow('20 fields are invalid. See `errors`.');
  });
});
