/** An answer of lines that is written while it is read, and kept by its reader as a file. */
export class Lines {
  readonly name: string;
  readonly pieces: AsyncGenerator<string, void>;

  /** `name` is that of the file: letters, digits, dots and dashes. Each piece ends its line. */
  constructor(name: string, pieces: AsyncGenerator<string, void>) {
    this.name = name;
    this.pieces = pieces;
  }
}
