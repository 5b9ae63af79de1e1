/**
 * Rows of a long list, read in batches while they are sent. The query starts when the first batch is requested. Only one
 * batch is in memory at a time.
 */
export class Rows<R> {
  readonly #batches: () => AsyncGenerator<unknown[], void>;
  readonly #change: (row: unknown) => R;

  private constructor(batches: () => AsyncGenerator<unknown[], void>, change: (row: unknown) => R) {
    this.#batches = batches;
    this.#change = change;
  }

  static from<R>(batches: () => AsyncGenerator<R[], void>): Rows<R> {
    return new Rows<R>(batches, (row) => row as R);
  }

  map<T>(change: (row: R) => T): Rows<T> {
    return new Rows<T>(this.#batches, (row) => change(this.#change(row)));
  }

  /** The texts of all rows in pieces: one text per batch, with a separator between its rows. */
  async *joined(toText: (row: R) => string, separator: string): AsyncGenerator<string, void> {
    for await (const batch of this.#batches()) {
      let text = '';
      for (const row of batch) text += `${text === '' ? '' : separator}${toText(this.#change(row))}`;
      // The driver keeps a reference to its results until a full garbage collection. Emptying the array frees the rows.
      batch.length = 0;
      if (text !== '') yield text;
    }
  }
}

/** A short list as an array, or a long one as a stream. */
export type RowList<R> = R[] | Rows<R>;

export const mapRows = <R, T>(list: RowList<R>, change: (row: R) => T): RowList<T> =>
  Array.isArray(list) ? list.map((row) => change(row)) : list.map(change);
