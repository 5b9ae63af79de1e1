/** The items of the palette, and which of them match a text. Case is ignored, like in the server's search. */
import type { NamedState } from '../status/state-looks.ts';

export interface PaletteItem {
  key: string;
  name: string;
  /** Its kind, or what it belongs to. */
  detail: string;
  /** Its state, or the state that it is. */
  state?: NamedState;
  run: () => void;
}

type Named = Pick<PaletteItem, 'name'>;

export const beginsWith =
  (text: string) =>
  ({ name }: Named): boolean =>
    name.toLowerCase().startsWith(text.toLowerCase());

export const contains =
  (text: string) =>
  ({ name }: Named): boolean =>
    name.toLowerCase().includes(text.toLowerCase());
