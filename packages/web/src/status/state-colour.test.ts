/** The colours of states: different within a workflow, also for colour-blind users, and visible on every background. */
import { describe, expect, it } from 'vitest';
import { palette, stateColour, stateColours } from './state-colour.ts';

type Rgb = readonly [r: number, g: number, b: number];
type Matrix = readonly [Rgb, Rgb, Rgb];

const linear = (value: number) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
const rgbOf = (hex: string): Rgb => {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => linear(Number.parseInt(hex.slice(at, at + 2), 16) / 255));
  return [r, g, b];
};
const dot = (a: Rgb, b: Rgb) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const within = (value: number) => Math.min(1, Math.max(0, value));
const applied = ([r, g, b]: Matrix, colour: Rgb): Rgb => [
  within(dot(r, colour)),
  within(dot(g, colour)),
  within(dot(b, colour)),
];

/** Complete colour blindness as simulated by Machado, Oliveira and Fernandes (2009). */
const visions: Record<string, Matrix> = {
  'full colour vision': [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152286, 1.052583, -0.204868],
    [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998],
  ],
  deuteranopia: [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ],
  tritanopia: [
    [1.255528, -0.076749, -0.178779],
    [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039],
  ],
};

/** Oklab, in which equal distances look equally different. */
const oklab = (colour: Rgb): Rgb => {
  const l = Math.cbrt(dot([0.4122214708, 0.5363325363, 0.0514459929], colour));
  const m = Math.cbrt(dot([0.2119034982, 0.6806995451, 0.1073969566], colour));
  const s = Math.cbrt(dot([0.0883024619, 0.2817188376, 0.6299787005], colour));
  return [
    dot([0.2104542553, 0.793617785, -0.0040720468], [l, m, s]),
    dot([1.9779984951, -2.428592205, 0.4505937099], [l, m, s]),
    dot([0.0259040371, 0.7827717662, -0.808675766], [l, m, s]),
  ];
};

const luminance = (hex: string) => dot([0.2126, 0.7152, 0.0722], rgbOf(hex));
const contrast = (a: string, b: string) => {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
};

/** A just noticeable difference is about 0.02. */
const clearDifference = 0.06;

describe.each([
  { theme: 'light' as const, backgrounds: ['#ffffff', '#f2f3f3'] },
  { theme: 'dark' as const, backgrounds: ['#191c1f', '#22262a'] },
])('the palette of the $theme theme', ({ theme, backgrounds }) => {
  const colours = palette.map((pair) => pair[theme]);

  it.each(Object.entries(visions))('has 24 colours that differ clearly with %s', (_name, vision) => {
    const seen = colours.map((colour) => oklab(applied(vision, rgbOf(colour))));
    const tooSimilar = seen.flatMap((a, index) =>
      seen.slice(index + 1).flatMap((b, further) => {
        const distance = Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
        return distance < clearDifference ? [`${colours[index]} ${colours[index + 1 + further]}`] : [];
      }),
    );
    expect(tooSimilar).toEqual([]);
    expect(colours).toHaveLength(24);
  });

  it('has a contrast of at least 3 on every background', () => {
    expect(colours.filter((colour) => backgrounds.some((background) => contrast(colour, background) < 3))).toEqual([]);
  });
});

const coloursOf = (ids: number[]) => [...stateColours(ids.map((id) => ({ id }))).values()];

describe('stateColours', () => {
  it('gives 24 states different colours, whatever their ids are', () => {
    const consecutive = Array.from({ length: 24 }, (_, index) => index + 5);
    const colliding = Array.from({ length: 24 }, (_, index) => 7 + index * 24);
    for (const ids of [consecutive, colliding]) expect(new Set(coloursOf(ids)).size).toBe(24);
  });

  it('keeps the colours of a workflow when later states are added', () => {
    expect(coloursOf([3, 4, 27, 51]).slice(0, 3)).toEqual(coloursOf([3, 4, 27]));
    expect(stateColours([{ id: 3 }]).get(3)).toBe(stateColour(3));
  });

  it('shows final states by their outcome, and neutral without one', () => {
    const finals = [{ outcome: 'good' as const }, { outcome: 'bad' as const }, { outcome: 'neutral' as const }, {}];
    const shown = stateColours(finals.map((final, id) => ({ id, isFinal: true, ...final })));
    expect([...shown.values()]).toEqual(['var(--ok)', 'var(--fail)', 'var(--faint)', 'var(--faint)']);
  });

  it('uses the colour of the workflow file', () => {
    expect(stateColours([{ id: 1, colour: '#0f766e', isFinal: true }]).get(1)).toBe('#0f766e');
  });
});
