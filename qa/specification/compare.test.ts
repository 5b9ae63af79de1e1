import { describe, expect, it } from 'vitest';
import { compare, compareValues, placesOf, type Found } from './compare.ts';
import type { Shape } from './resources.ts';

const state = { id: 1, label: 'arrived', uri: '/states/1' };

function compared(shape: Shape, value: unknown): Found {
  const found: Found = { deviations: new Set(), places: new Set() };
  compare(found, shape, value);
  return found;
}

const deviations = (shape: Shape, value: unknown) => [...compared(shape, value).deviations];

describe('compare', () => {
  it('accepts a response with exactly the specified fields and types', () => {
    const { deviations: none, places } = compared({ states: ['Ref'] }, { states: [state] });
    expect([...none]).toEqual([]);
    expect([...places]).toEqual(['states[]', 'states[].id', 'states[].label', 'states[].uri']);
  });

  it.each([
    ['a missing field', { id: 1, uri: '' }, 'Ref.label is missing'],
    ['another field', { ...state, active: true }, 'Ref.active is not specified'],
    ['null', { ...state, label: null }, 'Ref.label is null, not string'],
    ['a number instead of text', { ...state, label: 1 }, 'Ref.label is integer, not string'],
    ['text instead of an integer', { ...state, id: '1' }, 'Ref.id is string, not integer'],
    ['a fraction', { ...state, id: 1.5 }, 'Ref.id is number, not integer'],
    ['an array instead of an object', [state], 'Ref is array, not object'],
    ['no JSON', undefined, 'Ref is undefined, not object'],
  ])('reports %s', (_what, value, deviation) => {
    expect(deviations('Ref', value)).toEqual([deviation]);
  });

  it('reports deviations in arrays and nested objects by their specified name', () => {
    expect(deviations({ states: ['Ref'] }, { states: [state, { ...state, id: true }] })).toEqual([
      'Ref.id is boolean, not integer',
    ]);
    expect(deviations({ states: ['Ref'] }, { states: {} })).toEqual(['response.states is object, not array']);
    expect(deviations({ values: 'object' }, { values: [] })).toEqual(['response.values is array, not object']);
  });
});

describe('placesOf', () => {
  it('lists all places of a response except those that are always empty', () => {
    const shape: Shape = { state: 'Ref', names: ['string'], links: [{ id: 'integer' }] };
    expect(placesOf(shape, ['links[]'])).toEqual(['state.id', 'state.label', 'state.uri', 'names[]', 'names[]']);
  });
});

describe('compareValues', () => {
  it('reports a value that the response does not show', () => {
    const found: Found = { deviations: new Set(), places: new Set() };
    compareValues(found, { state, states: [state] }, { 'state.label': 'arrived', 'states.0.id': 2 });
    expect([...found.deviations]).toEqual(['states.0.id is 1, not 2 as requested']);
  });
});
