/** The colours of states: different within a workflow, also for colour-blind users, and visible on every background. */
import { describe, expect, it } from 'vitest';
import { dot, rgbOf, similarWith, visionNames } from './colour-difference.ts';
import { palette, stateColour, stateColours } from './state-colour.ts';

const luminance = (hex: string) => dot([0.2126, 0.7152, 0.0722], rgbOf(hex));
const contrast = (a: string, b: string) => {
  const [dark = 0, light = 0] = [luminance(a), luminance(b)].toSorted((x, y) => x - y);
  return (light + 0.05) / (dark + 0.05);
};

describe.each([
  { theme: 'light' as const, backgrounds: ['#ffffff', '#f2f3f3'] },
  { theme: 'dark' as const, backgrounds: ['#191c1f', '#22262a'] },
])('the palette of the $theme theme', ({ theme, backgrounds }) => {
  const colours = palette.map((pair) => pair[theme]);

  it.each(visionNames)('has 24 colours that differ clearly with %s', (vision) => {
    const tooSimilar = colours.flatMap((one, index) =>
      colours.slice(index + 1).filter((other) => similarWith(one, other).includes(vision)),
    );
    expect(tooSimilar).toEqual([]);
    expect(colours).toHaveLength(24);
  });

  it('has a contrast of at least 3 on every background', () => {
    expect(colours.filter((colour) => backgrounds.some((background) => contrast(colour, background) < 3))).toEqual([]);
  });
});

const open = (id: number) => ({ id, colour: null, kind: 'open' as const });
const coloursOf = (ids: number[]) => [...stateColours(ids.map(open)).values()];

describe('stateColours', () => {
  it('gives 24 states different colours, whatever their ids are', () => {
    const consecutive = Array.from({ length: 24 }, (_, index) => index + 5);
    const colliding = Array.from({ length: 24 }, (_, index) => 7 + index * 24);
    for (const ids of [consecutive, colliding]) expect(new Set(coloursOf(ids)).size).toBe(24);
  });

  it('keeps the colours of a workflow when later states are added', () => {
    expect(coloursOf([3, 4, 27, 51]).slice(0, 3)).toEqual(coloursOf([3, 4, 27]));
    expect(stateColours([open(3)]).get(3)).toBe(stateColour(3));
  });

  it('shows final states by their outcome', () => {
    const kinds = ['good', 'bad', 'neutral'] as const;
    const shown = stateColours(kinds.map((kind, id) => ({ id, colour: null, kind })));
    expect([...shown.values()]).toEqual(['var(--ok)', 'var(--fail)', 'var(--faint)']);
  });

  it('uses the colour of the workflow file', () => {
    expect(stateColours([{ id: 1, colour: '#0f766e', kind: 'good' }]).get(1)).toBe('#0f766e');
  });

  it('gives no other state a colour that looks like one of the workflow file, even to a colour-blind user', () => {
    for (const { light, dark } of palette)
      for (const colour of [light, dark]) {
        const states = [{ ...open(1000), colour }, ...palette.slice(8).map((_, id) => open(id))];
        const computed = [...stateColours(states).values()].slice(1);
        const shown = computed.flatMap((text) => text.match(/#[0-9a-f]{6}/g) ?? []);
        expect(shown.filter((one) => similarWith(one, colour).length > 0)).toEqual([]);
      }
  });

  it('still gives 24 states different colours if the file sets one of them', () => {
    const states = palette.map((_, id) => (id === 5 ? { ...open(id), colour: '#0f766e' } : open(id)));
    expect(new Set(stateColours(states).values()).size).toBe(24);
  });
});
