import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seed } from '../../../api/testing/seed.ts';
import { containsText, lowerAscii, orderOfTexts, sizeOfText, upperAscii } from './text.ts';

const points = (of: string) => Array.from(of, (character) => character.codePointAt(0) ?? 0);
const order = (a: number[], b: number[]) => {
  const at = a.findIndex((point, index) => point !== b[index]);
  return at === -1 ? a.length - b.length : (a[at] ?? 0) - (b[at] ?? -1);
};

describe('containsText', () => {
  it('returns the same as String.includes for short and long texts', () => {
    const few = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 200 });
    const part = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(few, part, fc.nat(60), fc.nat(20), (text, repeated, times, from) => {
        const sought = repeated.repeat(times);
        expect(containsText(text, sought)).toBe(text.includes(sought));
        expect(containsText(text + sought + text, sought)).toBe(true);
        const inside = text.slice(from, from + 50);
        expect(containsText(text, inside)).toBe(true);
      }),
      { seed },
    );
  });
});

describe('orderOfTexts and sizeOfText', () => {
  it('compare and count code points, not UTF-16 code units', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '\u{1f600}', '\u{ffff}', '\u{e000}', 'é'), maxLength: 6 });
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(orderOfTexts(a, b))).toBe(Math.sign(order(points(a), points(b))));
        expect(sizeOfText(a)).toBe(points(a).length);
      }),
      { seed },
    );
  });
});

describe('lowerAscii and upperAscii', () => {
  it('change only ASCII letters', () => {
    expect(lowerAscii('ÄBC ÉΣ z')).toBe('Äbc ÉΣ z');
    expect(upperAscii('äbc ßz')).toBe('äBC ßZ');
  });
});
