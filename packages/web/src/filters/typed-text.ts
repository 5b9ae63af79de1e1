/** The text of a filter, which also changes with the URL. */
export interface TypedText {
  text: string;
  /** The last text in the URL. */
  inUrl: string;
  /** The text written to the URL by the filter, until the URL has it. */
  sent?: string;
}

/** Back and other URL changes replace the text. The filter's own change does not, because the user may have typed on. */
export const followUrl = (typed: TypedText, inUrl: string): TypedText =>
  typed.inUrl === inUrl ? typed : { inUrl, text: inUrl === typed.sent ? typed.text : inUrl };
