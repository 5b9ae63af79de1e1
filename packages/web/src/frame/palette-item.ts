export interface PaletteItem {
  key: string;
  name: string;
  /** What it is, or where it belongs. */
  detail: string;
  run: () => void;
}
