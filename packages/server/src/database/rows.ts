/**
 * Rows that are read while they are sent: an array too long to hold. Nothing is opened before the first batch is asked
 * for. Changes are applied to one row at a time, so that nothing but the batch at hand is ever in memory.
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

  /** Joins what each batch becomes, row by row, with commas: the inside of a JSON array in pieces. */
  async *joined(toText: (row: R) => string): AsyncGenerator<string, void> {
    for await (const batch of this.#batches()) {
      let text = '';
      for (const row of batch) text += `${text === '' ? '' : ','}${toText(this.#change(row))}`;
      yield text;
    }
  }
}

/** A list as it was read: whole where it is short, row by row where it is long. */
export type Many<R> = R[] | Rows<R>;

export const mapMany = <R, T>(many: Many<R>, change: (row: R) => T): Many<T> =>
  Array.isArray(many) ? many.map((row) => change(row)) : many.map(change);
