/** Reads the arguments of one command. Errors name the argument and what to type instead. */
import { parseArgs } from 'node:util';
import { nearestName } from '@milepost/api/client';
import type { Argument, Command, Option, Options } from './command.ts';
import { usage } from './failure.ts';
import { optionsOf } from './help.ts';

type Raw = Record<string, string | boolean | (string | boolean)[] | undefined>;

export interface Parsed {
  args: Record<string, string | readonly string[] | undefined>;
  values: Record<string, string | boolean | readonly string[] | undefined>;
  wantsHelp: boolean;
}

export function parseArguments(command: Command, tokens: readonly string[]): Parsed {
  const options = optionsOf(command);
  const { values, positionals } = parse(options, tokens, command);
  const wantsHelp = values['help'] === true;
  if (wantsHelp) return { args: {}, values, wantsHelp };
  for (const [name, option] of Object.entries(options)) checkOption(name, option, values[name], command);
  return { args: assignArguments(command, positionals), values, wantsHelp };
}

function parse(options: Options, tokens: readonly string[], command: Command) {
  try {
    const config = Object.fromEntries(Object.entries(options).map(([name, option]) => [name, forNode(option)]));
    const { values, positionals } = parseArgs({
      args: separate(tokens, options, command),
      options: config,
      allowPositionals: true,
    });
    const full = Object.entries(options).map(([name, option]) => [name, valueOf(option, values[name])]);
    return { values: Object.fromEntries(full) as Parsed['values'], positionals };
  } catch (error) {
    throw explain(error, options, command);
  }
}

/**
 * Joins options with their values, and puts the arguments after `--`. Both can begin with a hyphen, as in `--sort -in-state` and the query
 * `-state:done`, but not like an option of the command.
 */
function separate(tokens: readonly string[], options: Options, command: Command): string[] {
  const [named, positionals]: [string[], string[]] = [[], []];
  for (let index = 0; index < tokens.length; index++) {
    const token = tokens[index] ?? '';
    if (token === '--') {
      positionals.push(...tokens.slice(index + 1));
      break;
    }
    const kind = kindOf(token, options);
    if (kind !== 'waiting') (kind === 'option' ? named : positionals).push(token);
    else named.push(...withValue(token, tokens[(index += 1)], options, command));
  }
  return [...named, '--', ...positionals];
}

function withValue(token: string, value: string | undefined, options: Options, command: Command): string[] {
  if (value === undefined || value === '--' || kindOf(value, options) !== 'argument')
    throw usage(`${token} needs a value.`, helpOf(command));
  if (token.startsWith('--')) return [`${token}=${value}`];
  return value === '' ? [token, value] : [token + value];
}

/** `waiting` is an option whose value is the next token. */
function kindOf(token: string, options: Options): 'argument' | 'option' | 'waiting' {
  if (!token.startsWith('-') || token === '-') return 'argument';
  if (!token.startsWith('--')) return kindOfShort(token.slice(1), options);
  const option = Object.hasOwn(options, token.slice(2)) ? options[token.slice(2)] : undefined;
  return option?.takes === undefined ? 'option' : 'waiting';
}

/** Flags can be followed by other short options, and the last one by its value, as in `-yo json` and `-ojson`. */
function kindOfShort(letters: string, options: Options): 'argument' | 'option' | 'waiting' {
  const option = Object.values(options).find(({ short }) => short === letters[0]);
  const rest = letters.slice(1);
  if (!option) return 'argument';
  if (option.takes === undefined) return rest === '' ? 'option' : kindOfShort(rest, options);
  if (rest === '') return 'waiting';
  return option.choices?.includes(rest) === false ? 'argument' : 'option';
}

const forNode = ({ takes, short, repeated }: Option) => ({
  type: takes === undefined ? ('boolean' as const) : ('string' as const),
  multiple: repeated === true,
  ...(short !== undefined && { short }),
});

const valueOf = ({ takes, repeated }: Option, value: Raw[string]) =>
  value ?? (repeated ? [] : takes === undefined ? false : undefined);

function explain(error: unknown, options: Options, command: Command): unknown {
  if (!(error instanceof Error && 'code' in error)) return error;
  const [, wrong] = /'(-[^' ]*)/.exec(error.message) ?? [];
  if (error.code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' && wrong !== undefined) {
    const nearest = nearestOption(wrong.replace(/^-+/, ''), Object.keys(options));
    const hint = nearest === undefined ? '' : ` Did you mean --${nearest}?`;
    return usage(`\`milepost ${command.path}\` has no option ${wrong}.${hint}`, helpOf(command));
  }
  return usage(error.message.split('\n', 1)[0] ?? '', helpOf(command));
}

const nearestOption = (wrong: string, names: readonly string[]) =>
  (wrong.length > 1 ? names.find((name) => name.startsWith(wrong)) : undefined) ?? nearestName(wrong, names);

const helpOf = ({ path }: Command) => `See \`milepost ${path} --help\`.`;

function checkOption(name: string, { required, choices }: Option, value: Parsed['values'][string], command: Command) {
  const isMissing = value === undefined || (Array.isArray(value) && value.length === 0);
  if (required && isMissing) throw usage(`--${name} is required.`, helpOf(command));
  const wrong = choices && [value].flat().find((one) => typeof one === 'string' && !choices.includes(one));
  if (typeof wrong !== 'string' || !choices) return;
  const nearest = nearestName(wrong, choices);
  const hint = nearest === undefined ? `Use one of: ${choices.join(', ')}.` : `Did you mean ${nearest}?`;
  throw usage(`--${name} cannot be \`${wrong}\`. ${hint}`, helpOf(command));
}

function assignArguments(command: Command, positionals: readonly string[]): Parsed['args'] {
  const args = command.args ?? [];
  const missing = args.find(({ optional }, index) => !optional && positionals[index] === undefined);
  if (missing) throw usage(`${missing.name.toUpperCase()} is missing: ${missing.about}.`, helpOf(command));
  const extra = args.some(({ repeated }) => repeated) ? undefined : positionals[args.length];
  if (extra !== undefined) throw usage(`\`milepost ${command.path}\` takes no argument \`${extra}\`.`, helpOf(command));
  return Object.fromEntries(args.map((one, index) => [one.name, argumentAt(one, index, positionals)]));
}

const argumentAt = ({ repeated }: Argument, index: number, positionals: readonly string[]) =>
  repeated ? positionals.slice(index) : positionals[index];
