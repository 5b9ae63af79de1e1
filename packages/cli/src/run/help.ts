/** The help texts. Examples come first, because most readers copy one. */
import type { Argument, Command, CommandGroup, Option, Options } from './command.ts';

const context: Options = { context: { takes: 'NAME', about: 'use this context instead of the current one' } };
const help: Options = { help: { short: 'h', about: 'show this help' } };

export const optionsOf = ({ options, local }: Command): Options => ({ ...options, ...(local ? {} : context), ...help });

const columns = (rows: readonly (readonly [string, string])[]): string => {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}\n`).join('');
};

const examplesOf = (lines: readonly string[]) => `Examples:\n${lines.map((line) => `  ${line}\n`).join('')}`;

const shown = ({ name, optional, repeated }: Argument) => {
  const word = `${name.toUpperCase()}${repeated ? '...' : ''}`;
  return optional ? `[${word}]` : word;
};

export const usageOf = ({ path, args = [] }: Command): string =>
  ['milepost', path, ...args.map((one) => shown(one)), '[options]'].join(' ');

export const optionLabel = (name: string, { short, takes }: Option): string =>
  `${short === undefined ? '' : `-${short}, `}--${name}${takes === undefined ? '' : ` ${takes}`}`;

export const optionAbout = ({ about, choices, required, repeated }: Option): string => {
  const notes = [
    ...(choices ? [choices.join(', ')] : []),
    ...(required ? ['required'] : []),
    ...(repeated ? ['repeatable'] : []),
  ];
  return notes.length === 0 ? about : `${about} (${notes.join('; ')})`;
};

/** Breaks a paragraph between words. */
const wrap = (text: string): string => text.replaceAll(/(.{1,100})(?: |$)/g, '$1\n').trimEnd();

export function commandHelp(command: Command): string {
  const { summary, description, args = [], examples } = command;
  const about = `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
  const options = Object.entries(optionsOf(command));
  return [
    examplesOf(examples),
    `Usage: ${usageOf(command)}\n`,
    `${wrap(description === undefined ? about : `${about} ${description}`)}\n`,
    ...(args.length === 0 ? [] : [`Arguments:\n${columns(args.map((one) => [one.name.toUpperCase(), one.about]))}`]),
    `Options:\n${columns(options.map(([name, option]) => [optionLabel(name, option), optionAbout(option)]))}`,
  ].join('\n');
}

export const groupHelp = (group: CommandGroup, commands: readonly Command[]): string =>
  [
    examplesOf(commands.map(({ examples: [first = ''] }) => first)),
    `Usage: milepost ${group.name} COMMAND\n`,
    `Commands:\n${columns(commands.map(({ path, summary }) => [path, summary]))}`,
    `Run \`milepost ${group.name} COMMAND --help\` for details.\n`,
  ].join('\n');

/** A part of the list of commands, such as those for operators. */
export interface Section {
  title: string;
  groups: readonly CommandGroup[];
}

export const mainHelp = (examples: readonly string[], sections: readonly Section[]): string =>
  [
    examplesOf(examples),
    'Usage: milepost COMMAND [options]\n',
    'Tracks every experiment in a research study through its workflow.\n',
    ...sections.map(({ title, groups }) => `${title}:\n${columns(groups.map(({ name, summary }) => [name, summary]))}`),
    'Run `milepost COMMAND --help` for details, and `milepost --version` for the version.\n',
  ].join('\n');
