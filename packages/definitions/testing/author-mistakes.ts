/**
 * Mistakes of authors who write their first workflow from the documentation, each as edits of a file without findings, with the
 * finding that lint and the import must report for it. Number 25 is about a configuration file.
 */
import { errorCodes, type FindingCode } from '../src/file/finding-codes.ts';
import { faultlessWorkflow } from './faultless-files.ts';

export interface AuthorMistake {
  number: number;
  mistake: string;
  /** The text in the file, and the text of the author. */
  edits: readonly (readonly [string, string])[];
  code: FindingCode;
  /** The line and column. */
  at: readonly [line: number, column: number];
  message: string;
}

/** An import rejects a file with such a mistake. */
export const isError = ({ code }: AuthorMistake): boolean => errorCodes.some((known) => known === code);

export const withMistake = ({ edits }: AuthorMistake, text: string = faultlessWorkflow): string =>
  edits.reduce((before, [right, wrong]) => {
    if (!before.includes(right)) throw new Error(`The file does not contain ${right}`);
    return before.replace(right, () => wrong);
  }, text);

export const workflowMistakes: readonly AuthorMistake[] = [
  {
    number: 1,
    mistake: 'a destination that is not a state',
    edits: [[`destination: done\n`, `destination: dnoe\n`]],
    code: 'unknown_state',
    at: [12, 22],
    message: '"dnoe" is not a state of this file. Did you mean "done"?',
  },
  {
    number: 2,
    mistake: 'a function that conditions do not have',
    edits: [[`"experiment.variables['usable'] == true"`, `"experiment.label.split(',') == ['a']"`]],
    code: 'invalid_condition',
    at: [13, 38],
    message:
      ".split() is not supported. Conditions cannot compute this. Let a callback compute it, set a variable with its variable_map, and write experiment.variables['name'] here.",
  },
  {
    number: 3,
    mistake: '= for == in a condition',
    edits: [[`"experiment.variables['usable'] == true"`, `"experiment.variables['usable'] = true"`]],
    code: 'invalid_condition',
    at: [13, 52],
    message: '= is not supported. Write == to compare.',
  },
  {
    number: 4,
    mistake: "Python's and beside CEL's true",
    edits: [
      [
        `"experiment.variables['usable'] == true"`,
        `"experiment.variables['usable'] == true and experiment.label == 'a'"`,
      ],
    ],
    code: 'invalid_condition',
    at: [13, 60],
    message: '"and" is Python syntax, but "true" is CEL syntax. Use only one: write && instead of and.',
  },
  {
    number: 5,
    mistake: 'no initial state, and none that can be derived',
    edits: [
      [`initial: arrived\n`, ''],
      [`      - {destination: review, by: person}\n`, ''],
      [`      - {destination: review, condition: "callbacks['check'].result == 'success'"}\n`, ''],
    ],
    code: 'no_initial_state',
    at: [3, 3],
    message:
      'the initial state is ambiguous, because no transition leads to "arrived", "review". Add a line with the state in which experiments start, such as "initial: arrived".',
  },
  {
    number: 6,
    mistake: 'a placeholder without quotes as a value',
    edits: [['"{{external_systems.XNAT}}/check"', '{{external_systems.XNAT}}/check']],
    code: 'unquoted_placeholder',
    at: [9, 16],
    message:
      'a value that begins with {{ needs quotes, because { begins a mapping. Write url: "{{external_systems.XNAT}}/check".',
  },
  {
    number: 7,
    mistake: 'a colon in text without quotes',
    edits: [['freetext: All done', 'freetext: Note: all done']],
    code: 'unquoted_text',
    at: [21, 15],
    message:
      'text that contains a colon and a space needs quotes, because it would begin a mapping. Write freetext: "Note: all done".',
  },
  {
    number: 8,
    mistake: 'a wrong indentation below states',
    edits: [['    decision: {}', '   decision: {}']],
    code: 'wrong_indentation',
    at: [17, 4],
    message: 'this line is indented by 3 spaces, which matches no line before it. Indent it by 4 spaces.',
  },
  {
    number: 9,
    mistake: 'the same key twice',
    edits: [[`    freetext: All done\n`, `    freetext: All done\n    label: end\n`]],
    code: 'repeated_key',
    at: [22, 5],
    message: 'the key "label" is already on line 20. Remove one of the two.',
  },
  {
    number: 10,
    mistake: 'a tuple in a condition',
    edits: [[`"experiment.variables['usable'] == true"`, `"experiment.variables['usable'] in ('a','b')"`]],
    code: 'invalid_condition',
    at: [13, 59],
    message: "tuples are not supported. Write ['a', 'b'].",
  },
  {
    number: 11,
    mistake: 'callback for callbacks',
    edits: [[`    callbacks:\n`, `    callback:\n`]],
    code: 'unknown_field',
    at: [5, 5],
    message: 'callback is the field of the older layout, for one callback. Did you mean "callbacks"?',
  },
  {
    number: 12,
    mistake: 'a condition without quotes in { }',
    edits: [[`"callbacks['check'].result == 'success'"`, "callbacks['check'].result == 'success' "]],
    code: 'unquoted_condition',
    at: [14, 42],
    message: `this condition needs quotes, because [ ] and commas have a meaning inside { }. Write condition: "callbacks['check'].result == 'success'".`,
  },
  {
    number: 13,
    mistake: 'uri for url',
    edits: [['          url: ', '          uri: ']],
    code: 'unknown_argument',
    at: [9, 16],
    message: 'http has no argument "uri". Did you mean "url"?',
  },
  {
    number: 14,
    mistake: 'methd for method',
    edits: [[`/check"\n`, `/check"\n          methd: GET\n`]],
    code: 'unknown_argument',
    at: [10, 18],
    message: 'http has no argument "methd". Did you mean "method"?',
  },
  {
    number: 15,
    mistake: 'cmd for binary',
    edits: [
      [
        `        function: http\n        callback_arguments:\n          url: "{{external_systems.XNAT}}/check"\n`,
        `        function: command\n        callback_arguments:\n          cmd: check\n`,
      ],
    ],
    code: 'unknown_argument',
    at: [9, 16],
    message: 'command has no argument "cmd". Did you mean "binary"?',
  },
  {
    number: 16,
    mistake: 'text for the seconds of sleep',
    edits: [
      [
        `        function: http\n        callback_arguments:\n          url: "{{external_systems.XNAT}}/check"\n`,
        `        function: sleep\n        callback_arguments: {seconds: ten}\n`,
      ],
    ],
    code: 'invalid_argument',
    at: [8, 39],
    message:
      'the argument "seconds" of sleep must be a number. It is "ten". Write digits without quotes, as in seconds: 10.',
  },
  {
    number: 17,
    mistake: 'a mail without a subject',
    edits: [
      [
        `        function: http\n        callback_arguments:\n          url: "{{external_systems.XNAT}}/check"\n`,
        `        function: send_mail\n        callback_arguments: {body: Done}\n`,
      ],
    ],
    code: 'missing_argument',
    at: [8, 29],
    message:
      'send_mail needs the argument "subject". Add it, as in callback_arguments: {subject: "{experiment} needs attention"}.',
  },
  {
    number: 18,
    mistake: 'a worker without a queue',
    edits: [
      [
        `        function: http\n        callback_arguments:\n          url: "{{external_systems.XNAT}}/check"\n`,
        `        function: worker\n`,
      ],
    ],
    code: 'missing_argument',
    at: [6, 9],
    message: 'worker needs the argument "queue". Add it, as in callback_arguments: {queue: segmentation}.',
  },
  {
    number: 19,
    mistake: 'external_system for external_systems',
    edits: [['external_systems.XNAT', 'external_system.XNAT']],
    code: 'unknown_placeholder',
    at: [9, 17],
    message: '{{external_system.XNAT}} is not a placeholder. Did you mean "external_systems.XNAT"?',
  },
  {
    number: 20,
    mistake: 'a JSONPath for a JSON pointer',
    edits: [['/body/usable', '$.body.usable']],
    code: 'invalid_value',
    at: [10, 32],
    message:
      '/states/0/callbacks/0/variable_map/usable is "$.body.usable", which is not a JSON pointer. Write usable: /body/usable.',
  },
  {
    number: 21,
    mistake: 'a result that a callback cannot have',
    edits: [["'success'", "'sucess'"]],
    code: 'invalid_condition',
    at: [14, 72],
    message: `callbacks['check'].result is never 'sucess'. Did you mean "success"?`,
  },
  {
    number: 22,
    mistake: 'a variable that nothing sets',
    edits: [["['usable']", "['useable']"]],
    code: 'unset_variable',
    at: [13, 21],
    message: 'Nothing in this file sets the variable "useable". Did you mean "usable"?',
  },
  {
    number: 23,
    mistake: 'a misspelt function',
    edits: [
      [
        `        function: http\n        callback_arguments:\n          url: "{{external_systems.XNAT}}/check"\n`,
        `        function: htpp\n        callback_arguments: {url: x}\n`,
      ],
    ],
    code: 'unknown_function',
    at: [7, 19],
    message:
      '"htpp" is not a built-in function. Did you mean "http"? Otherwise, its runs wait for one of your workers on the queue of that name.',
  },
  {
    number: 24,
    mistake: 'a state without callbacks and with one exit without a condition',
    edits: [
      [`    decision: {}\n`, ''],
      ['{destination: done, by: person}', '{destination: done}'],
    ],
    code: 'waits_for_user',
    at: [16, 5],
    message:
      'Experiments stay in "review" until a user moves them, because it has no callbacks. If a user must decide, add the line "decision: {}" to the state. If they can stay there, add "outcome: neutral". To move them automatically, add a callback.',
  },
  {
    number: 26,
    mistake: 'an external system that is not defined',
    edits: [['external_systems.XNAT', 'external_systems.XNATT']],
    code: 'unknown_system',
    at: [9, 17],
    message: 'No external system has the name "XNATT". Did you mean "XNAT"?',
  },
];

export const configurationMistakes: readonly AuthorMistake[] = [
  {
    number: 25,
    mistake: 'a misspelt permission',
    edits: [['worker_run', 'worker_rn']],
    code: 'unknown_permission',
    at: [3, 30],
    message:
      'The role pipeline has the unknown permission "worker_rn", which has no effect. Did you mean "worker_run"?',
  },
];
