type LineType = 'application/x-ndjson' | 'application/x-ndjson; end=line' | 'text/csv';

/** A streamed response of lines that the client saves as a file. */
export class Lines {
  readonly name: string;
  readonly type: LineType;
  readonly pieces: AsyncGenerator<string, void>;

  /** `name` is the file name: letters, digits, dots, dashes and underscores. Each piece ends with a newline. */
  constructor(name: string, type: LineType, pieces: AsyncGenerator<string, void>) {
    this.name = name;
    this.type = type;
    this.pieces = pieces;
  }
}
