/** Case-insensitive, like the server's search. */
export const beginsWith =
  (text: string) =>
  ({ name }: Pick<PaletteItem, 'name'>): boolean =>
    name.toLowerCase().startsWith(text.toLowerCase());

export interface PaletteItem {
  key: string;
  name: string;
  /** Its kind, or what it belongs to. */
  detail: string;
  run: () => void;
}
