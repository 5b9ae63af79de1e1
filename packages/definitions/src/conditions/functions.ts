/** The functions of conditions. None of them accepts a regular expression or calls other code. */
import { integerOf, textOf, trim } from './conversions.ts';
import { containsText, lowerAscii, sizeOfText, upperAscii } from './text.ts';
import { Failure, isMap, kindOf, maxTextLength, spend, spendOnText, tooManySteps, kindNames } from './values.ts';
import type { Budget, Kind, Outcome } from './values.ts';

interface ConditionFunction {
  /** The number of arguments, including the one before the dot. */
  takes: number;
  /** The kinds of its arguments, and their description. */
  of: readonly Kind[];
  needs: string;
  gives: 'text' | 'number' | 'boolean';
  example: string;
  apply: (values: readonly unknown[], budget: Budget) => Outcome;
}

const tooLong = (length: number) =>
  `the function accepts at most ${maxTextLength.toLocaleString('en')} characters, but got ${length.toLocaleString('en')}`;

const onText = (gives: 'text' | 'boolean', example: string, takes: 1 | 2, apply: (a: string, b: string) => unknown) =>
  ({
    takes,
    of: ['text'],
    needs: 'text',
    gives,
    example,
    apply: ([first, second = ''], budget) => {
      if (typeof first !== 'string' || typeof second !== 'string')
        return new Failure(
          `the function needs text, not ${kindNames[kindOf(typeof first === 'string' ? second : first)]}`,
        );
      const length = Math.max(first.length, second.length);
      if (length > maxTextLength) return new Failure(tooLong(length));
      return spendOnText(budget, 'reading', first.length + second.length) ? apply(first, second) : tooManySteps();
    },
  }) satisfies ConditionFunction;

const onValue = (
  gives: 'text' | 'number',
  example: string,
  [of, needs]: readonly [Kind[], string],
  apply: ConditionFunction['apply'],
): ConditionFunction => ({ takes: 1, of, needs, gives, example, apply });

/** Converts one value. The length of a text is limited. */
const conversion =
  (convert: (value: unknown) => Outcome): ConditionFunction['apply'] =>
  ([value], budget) => {
    const length = typeof value === 'string' ? value.length : 0;
    if (length > maxTextLength) return new Failure(tooLong(length));
    return spendOnText(budget, 'reading', length) ? convert(value) : tooManySteps();
  };

const sized: [Kind[], string] = [['text', 'list', 'map'], 'text, a list or a map'];
const numeric: [Kind[], string] = [['number', 'text', 'boolean'], 'a number, text, true or false'];
const simple: [Kind[], string] = [['text', 'number', 'boolean', 'null'], 'text, a number, true, false or null'];

export const functions = new Map<string, ConditionFunction>([
  ['contains', onText('boolean', 'x.contains(y)', 2, containsText)],
  ['startsWith', onText('boolean', 'x.startsWith(y)', 2, (text, part) => text.startsWith(part))],
  ['endsWith', onText('boolean', 'x.endsWith(y)', 2, (text, part) => text.endsWith(part))],
  ['lowerAscii', onText('text', 'x.lowerAscii()', 1, lowerAscii)],
  ['upperAscii', onText('text', 'x.upperAscii()', 1, upperAscii)],
  ['trim', onText('text', 'x.trim()', 1, trim)],
  ['size', onValue('number', 'size(x)', sized, ([value], budget) => sizeOf(value, budget))],
  ['int', onValue('number', 'int(x)', numeric, conversion(integerOf))],
  ['str', onValue('text', 'str(x)', simple, conversion(textOf))],
]);

/** Functions that can be called after a dot, and without one. */
export const methodNames: readonly string[] = [...functions.keys()].filter((name) => name !== 'int' && name !== 'str');
export const functionNames: readonly string[] = ['size', 'int', 'str'];

function sizeOf(value: unknown, budget: Budget): Outcome {
  if (Array.isArray(value)) return value.length;
  if (typeof value === 'string') {
    return spendOnText(budget, 'reading', value.length) ? sizeOfText(value) : tooManySteps();
  }
  if (!isMap(value)) return new Failure(`${kindNames[kindOf(value)]} has no size`);
  const size = Object.keys(value).length;
  return spend(budget, size) ? size : tooManySteps();
}
