/**
 * A state has the same colour everywhere. It depends on the id, so it stays when other states are added or removed, and up
 * to nine states of a workflow have different colours. Colour-blind users can distinguish the colours, and a label is always
 * next to them.
 */
const colours = [
  { light: '#4b4ba8', dark: '#8c8ce6' },
  { light: '#0f7d6d', dark: '#3fb5a3' },
  { light: '#b06a12', dark: '#e2a04e' },
  { light: '#2a78b8', dark: '#6fb3e8' },
  { light: '#a03b78', dark: '#dc80b8' },
  { light: '#4f7a1c', dark: '#97c25e' },
  { light: '#bd4b50', dark: '#f08c8c' },
  { light: '#7a6a5a', dark: '#b8a895' },
  { light: '#7b4bb0', dark: '#b78ee8' },
] as const;

export function stateColour(id: number): string {
  const { light, dark } = colours[id % colours.length] ?? colours[0];
  return `light-dark(${light}, ${dark})`;
}
