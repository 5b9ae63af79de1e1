/** As the server finds labels, whether letters are large or small. */
export const beginsWith =
  (text: string) =>
  ({ name }: Pick<PaletteItem, 'name'>): boolean =>
    name.toLowerCase().startsWith(text.toLowerCase());

export interface PaletteItem {
  key: string;
  name: string;
  /** What it is, or where it belongs. */
  detail: string;
  run: () => void;
}
