import { expect, it } from 'vitest';
import { variableValue } from './variable-value.ts';

it.each([
  ['1.2', 1.2],
  ['true', true],
  ['null', null],
  ['"1.2"', '1.2'],
  ['dcm2niix-1.0.2024', 'dcm2niix-1.0.2024'],
  ['[1, 2]', [1, 2]],
  ['', ''],
])('reads %j', (text, value) => {
  expect(variableValue(text)).toEqual(value);
});
