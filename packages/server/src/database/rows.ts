/** Rows that are read while they are sent: an array too long to hold. Nothing is opened before the first batch is asked for. */
export class Rows<R> {
  readonly batches: () => AsyncGenerator<R[], void>;

  constructor(batches: () => AsyncGenerator<R[], void>) {
    this.batches = batches;
  }

  map<T>(change: (row: R) => T): Rows<T> {
    const { batches } = this;
    return new Rows(async function* () {
      for await (const batch of batches()) yield batch.map(change);
    });
  }
}

/** A list as it was read: whole where it is short, row by row where it is long. */
export type Many<R> = R[] | Rows<R>;

export const mapMany = <R, T>(many: Many<R>, change: (row: R) => T): Many<T> =>
  Array.isArray(many) ? many.map((row) => change(row)) : many.map(change);
