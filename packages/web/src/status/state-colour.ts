/**
 * The colours of states. Up to 24 states of a workflow have different colours, which colour-blind users can distinguish. A colour
 * starts from the id, so it stays when other states are added or removed. A label is always next to it.
 */
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
  colour?: string | null;
  outcome?: 'good' | 'bad' | 'neutral' | null;
  isFinal?: boolean;
}

const finalColours = { good: 'var(--ok)', bad: 'var(--fail)', neutral: 'var(--faint)' };

const colourAt = (index: number): string => {
  const { light, dark } = palette[index % palette.length] ?? palette[0];
  return `light-dark(${light}, ${dark})`;
};

/** For a state whose workflow is not loaded. */
export const stateColour = (id: number): string => colourAt(id);

/** The colours of all states of a workflow. If two states have the same place in the palette, the later one gets the next free place. */
export function stateColours(states: readonly ColouredState[]): Map<number, string> {
  const used = new Set<number>();
  const place = (id: number) => {
    const start = id % palette.length;
    const places = palette.map((_, step) => (start + step) % palette.length);
    const free = places.find((index) => !used.has(index)) ?? start;
    used.add(free);
    return free;
  };
  const byId = states.toSorted((a, b) => a.id - b.id);
  return new Map(
    byId.map(({ id, colour, outcome, isFinal }) => [
      id,
      colour ?? (isFinal ? finalColours[outcome ?? 'neutral'] : colourAt(place(id))),
    ]),
  );
}
