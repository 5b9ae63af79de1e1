/** What a command is. Parsing, help, completion and the reference page read everything from here. */

export interface Option {
  about: string;
  /** The name of the value in the help. Options without it are flags. */
  takes?: string;
  short?: string;
  repeated?: true;
  required?: true;
  choices?: readonly string[];
}

export type Options = Readonly<Record<string, Option>>;

export interface Argument {
  name: string;
  about: string;
  optional?: true;
  /** Takes all remaining arguments. */
  repeated?: true;
}

type ValueOf<O> = O extends { takes: string; repeated: true }
  ? readonly string[]
  : O extends { takes: string; required: true }
    ? string
    : O extends { takes: string }
      ? string | undefined
      : boolean;

/** Every command can have a context. */
export type Values<O extends Options> = { readonly [K in keyof O]: ValueOf<O[K]> } & {
  readonly context?: string | undefined;
};

type ArgumentOf<A> = A extends { repeated: true }
  ? readonly string[]
  : A extends { optional: true }
    ? string | undefined
    : string;

export type Arguments<A extends readonly Argument[]> = {
  readonly [One in A[number] as One['name']]: ArgumentOf<One>;
};

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Call<O extends Options = Options, A extends readonly Argument[] = readonly Argument[]> {
  args: Arguments<A>;
  values: Values<O>;
  environment: Environment;
}

interface Described<O extends Options, A extends readonly Argument[]> {
  /** One or two words: `login`, `experiment move`. */
  path: string;
  /** One line for lists of commands. */
  summary: string;
  /** What a user needs to know beyond the summary. */
  description?: string;
  args?: A;
  options?: O;
  /** Uses no server elsewhere, so it has no option `--context`. */
  local?: true;
  /** Runs until it is stopped, also if nobody reads its output any more. */
  isService?: true;
  /** Command lines that a test runs. */
  examples: readonly string[];
  run: (call: Call<O, A>) => Promise<void> | void;
}

export type Command = Described<Options, readonly Argument[]>;

/** Gives `run` the exact types of its arguments and options. */
export const defineCommand = <const O extends Options, const A extends readonly Argument[]>(
  command: Described<O, A>,
): Command => command as unknown as Command;

/** Commands with the same first word, or a single command. They are loaded when they are used. */
export interface CommandGroup {
  name: string;
  summary: string;
  load: () => Promise<readonly Command[]>;
}
