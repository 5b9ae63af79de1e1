/** The functions of conditions. None of them accepts a regular expression or calls other code. */
import { containsText, lowerAscii, sizeOfText, upperAscii } from './text.ts';
import { Failure, isMap, kindOf, maxTextLength, spend, spendOnText, tooManySteps, kindNames } from './values.ts';
import type { Budget, Outcome } from './values.ts';

interface ConditionFunction {
  /** The number of arguments, including the one before the dot. */
  takes: number;
  /** The arguments it needs: only text, or anything with a size. */
  of: 'text' | 'sized';
  gives: 'text' | 'number' | 'boolean';
  example: string;
  apply: (values: readonly unknown[], budget: Budget) => Outcome;
}

const tooLong = (length: number) =>
  `the function accepts at most ${maxTextLength.toLocaleString('en')} characters, but got ${length.toLocaleString('en')}`;

const onText = (gives: 'text' | 'boolean', example: string, takes: 1 | 2, apply: (a: string, b: string) => unknown) =>
  ({
    takes,
    of: 'text',
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

export const functions = new Map<string, ConditionFunction>([
  ['contains', onText('boolean', 'x.contains(y)', 2, containsText)],
  ['startsWith', onText('boolean', 'x.startsWith(y)', 2, (text, part) => text.startsWith(part))],
  ['endsWith', onText('boolean', 'x.endsWith(y)', 2, (text, part) => text.endsWith(part))],
  ['lowerAscii', onText('text', 'x.lowerAscii()', 1, lowerAscii)],
  ['upperAscii', onText('text', 'x.upperAscii()', 1, upperAscii)],
  [
    'size',
    { takes: 1, of: 'sized', gives: 'number', example: 'size(x)', apply: ([value], budget) => sizeOf(value, budget) },
  ],
]);

/** Functions that can be called after a dot, and without one. */
export const methodNames: readonly string[] = [...functions.keys()];
export const functionNames: readonly string[] = ['size'];

function sizeOf(value: unknown, budget: Budget): Outcome {
  if (Array.isArray(value)) return value.length;
  if (typeof value === 'string') {
    return spendOnText(budget, 'reading', value.length) ? sizeOfText(value) : tooManySteps();
  }
  if (!isMap(value)) return new Failure(`${kindNames[kindOf(value)]} has no size`);
  const size = Object.keys(value).length;
  return spend(budget, size) ? size : tooManySteps();
}
