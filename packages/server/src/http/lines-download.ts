/** A streamed response of lines that the client saves as a file. */
export class Lines {
  readonly name: string;
  readonly pieces: AsyncGenerator<string, void>;

  /** `name` is the file name: letters, digits, dots and dashes. Each piece ends with a newline. */
  constructor(name: string, pieces: AsyncGenerator<string, void>) {
    this.name = name;
    this.pieces = pieces;
  }
}
