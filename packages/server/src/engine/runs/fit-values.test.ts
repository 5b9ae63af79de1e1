import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seed } from '../../../../api/testing/seed.ts';
import { storedValues } from '../../../testing/random-values.ts';
import { bytesOf, fitValues } from './fit-values.ts';

const mark = '[... cut here ...]';

describe('bytesOf', () => {
  it.each([
    [{ a: '€' }, 11],
    [{ a: 'one "\n' }, 16],
    [[1, 2.5, null, true], 17],
    [{ a: '1e+300' }, 14],
    [{ a: 1e300 }, 312],
    [{ a: -5e-324 }, 337],
  ])('counts %j as %i bytes', (value, bytes) => {
    expect(bytesOf(value)).toBe(bytes);
  });
});

/** Either cut, or data as text. */
const isShortened = (given: unknown, value: unknown) =>
  typeof value === 'string' && value.isWellFormed() && (value.includes(mark) || value === JSON.stringify(given));

describe('fitValues', () => {
  it('does not change values that fit', () => {
    const values = { stdout: 'x'.repeat(100), values: { a: 1 } };
    expect(fitValues(values, bytesOf(values))).toEqual({ values, shortened: [] });
  });

  it('cuts the middle of the longest texts and keeps everything else', () => {
    const stdout = `first ${'out '.repeat(5000)}last`;
    const values = { command: ['convert'], stdout, stderr: 'short', return_code: 0, values: { volume: 3.5 } };
    const fitted = fitValues(values, 2000);
    expect(fitted.shortened).toEqual(['stdout']);
    expect(fitted.values).toEqual({ ...values, stdout: expect.stringMatching(/^first out .*out last$/s) });
    expect(fitted.values['stdout']).toContain(mark);
    expect(bytesOf(fitted.values)).toBeGreaterThan(1900);
  });

  it('shares the room between texts', () => {
    const { values, shortened } = fitValues({ stdout: 'o'.repeat(9000), stderr: 'e'.repeat(9000) }, 4000);
    expect(shortened).toEqual(['stdout', 'stderr']);
    for (const text of Object.values(values)) expect(bytesOf(text)).toBeGreaterThan(1900);
  });

  it('keeps data that fits if the texts are cut', () => {
    const data = { list: 'x'.repeat(1000).split('') };
    const { values, shortened } = fitValues({ stdout: 'o'.repeat(90_000), values: data }, 6000);
    expect(shortened).toEqual(['stdout']);
    expect(values['values']).toEqual(data);
  });

  it('stores data that does not fit as text with a mark', () => {
    const { values, shortened } = fitValues(
      { status: 200, body: { list: Array.from({ length: 9000 }, () => 1e300) } },
      2000,
    );
    expect(shortened).toEqual(['body']);
    expect(values).toEqual({ status: 200, body: expect.stringMatching(/^\{"list":\[1e\+300,.*1e\+300\]\}$/s) });
    expect(values['body']).toContain(mark);
  });

  it('makes any values fit, and every shortened value is a text', () => {
    const text = fc.oneof(fc.string({ unit: 'grapheme', maxLength: 3000 }), fc.constant('\u0001"\n🧠'.repeat(400)));
    const field = fc.oneof(text, storedValues, fc.array(fc.constantFrom(1, 1e300, 'x'), { maxLength: 900 }));
    const fields = fc.record({ a: field, b: field, c: field, d: fc.integer() });
    fc.assert(
      fc.property(fields, fc.integer({ min: 1024, max: 4000 }), (values, most) => {
        const fitted = fitValues(values, most);
        expect(bytesOf(fitted.values)).toBeLessThanOrEqual(most);
        for (const [name, value] of Object.entries(fitted.values)) {
          const given: unknown = values[name as keyof typeof values];
          if (fitted.shortened.includes(name)) expect(isShortened(given, value)).toBe(true);
          else expect(value).toBe(given);
        }
      }),
      { seed, numRuns: 500 },
    );
  });
});
