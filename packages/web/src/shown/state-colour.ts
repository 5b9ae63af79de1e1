/**
 * A state has one colour wherever it is shown. It follows from its id: the states of a workflow are created one after
 * the other, so that up to nine of them differ, and it stays when others come and go. The colours are chosen so that
 * people who do not see all of them can tell them apart; a name always stands beside.
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
