/**
 * The colours of states. Up to 24 states of a workflow have different colours, which colour-blind users can distinguish. A colour
 * starts from the id, so it stays when other states are added or removed. A label is always next to it.
 */
import type { StateKind } from '@milepost/api';
import { similarWith } from './colour-difference.ts';

export const palette = [
  { light: '#6b1803', dark: '#138300' },
  { light: '#0784ff', dark: '#6bffcd' },
  { light: '#d26d59', dark: '#d4f795' },
  { light: '#0b00b8', dark: '#5485d3' },
  { light: '#8c4f74', dark: '#d3bde4' },
  { light: '#391860', dark: '#cd8fce' },
  { light: '#a07da5', dark: '#0bb35f' },
  { light: '#862e1e', dark: '#e98200' },
  { light: '#4f36ff', dark: '#f253ff' },
  { light: '#4e1830', dark: '#a75b5c' },
  { light: '#5a3b98', dark: '#fa89ff' },
  { light: '#a85e58', dark: '#c36683' },
  { light: '#31008f', dark: '#6a6bac' },
  { light: '#8880d3', dark: '#f0d1ff' },
  { light: '#fd3493', dark: '#fa1a03' },
  { light: '#0000e3', dark: '#b210f8' },
  { light: '#552d56', dark: '#81aa9a' },
  { light: '#0e70dc', dark: '#30cb79' },
  { light: '#a14600', dark: '#e0bf08' },
  { light: '#733b74', dark: '#d7139f' },
  { light: '#738701', dark: '#98f73b' },
  { light: '#5e5aa0', dark: '#90c2b3' },
  { light: '#bf0cc0', dark: '#f322d2' },
  { light: '#005b46', dark: '#31e77e' },
] as const;

export interface ColouredState {
  id: number;
  /** Set by the workflow file. */
  colour: string | null;
  kind: StateKind;
}

const finalColours = { good: 'var(--ok)', bad: 'var(--fail)', neutral: 'var(--faint)' };

const colourAt = (index: number): string => {
  const { light, dark } = palette[index % palette.length] ?? palette[0];
  return `light-dark(${light}, ${dark})`;
};

/** For a state that is not loaded. */
export const stateColour = (id: number): string => colourAt(id);

/** The places of the palette whose colours look different from these, and the other ones. */
function placesBeside(colours: readonly string[]): readonly number[][] {
  const isSimilar = ({ light, dark }: (typeof palette)[number]) =>
    colours.some((colour) => similarWith(colour, light).length + similarWith(colour, dark).length > 0);
  const similar = new Set(palette.flatMap((pair, place) => (isSimilar(pair) ? [place] : [])));
  const places = [...palette.keys()];
  return [places.filter((place) => !similar.has(place)), [...similar]];
}

/**
 * The colours of all states of a workflow. If two states have the same place in the palette, the later one gets the next free
 * place. A colour similar to one of the workflow file is used only if no other is left.
 */
export function stateColours(states: readonly ColouredState[]): Map<number, string> {
  const groups = placesBeside(states.flatMap(({ colour }) => colour ?? []));
  const used = new Set<number>();
  const place = (id: number) => {
    const start = id % palette.length;
    const steps = (index: number) => (index - start + palette.length) % palette.length;
    const free = groups.flatMap((places) =>
      places.filter((index) => !used.has(index)).toSorted((a, b) => steps(a) - steps(b)),
    );
    const found = free[0] ?? start;
    used.add(found);
    return found;
  };
  return new Map(
    states.map(({ id, colour, kind }) => [
      id,
      colour ?? (kind === 'open' || kind === 'decision' ? colourAt(place(id)) : finalColours[kind]),
    ]),
  );
}
