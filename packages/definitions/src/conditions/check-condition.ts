/**
 * Checks a condition at import: known names and fields, one level of macros, and operators that accept their operands. Anything
 * that would fail at every evaluation is reported here, to the author of the workflow.
 */
import { suggestion } from '@milepost/api';
import { visit, type ByKind, type ConditionFault, type ConditionNode, type NodeOf } from './syntax.ts';
import { functions } from './functions.ts';
import { any, names, type Shape } from './names.ts';
import { fits, kindOfResult, logicFault, nameOfKind, operandFault } from './operands.ts';
import { impossibleValues } from './impossible-values.ts';
import { kindOf, type Kind } from './values.ts';

export interface ConditionPlace {
  /** A callback's own condition is evaluated before any callback has run, so it cannot read them. */
  kind: 'transition' | 'callback';
  /** The callbacks that can be read. If undefined, any label is accepted. */
  callbackLabels?: Iterable<string> | undefined;
  /** Rejects comparisons that are never true, too. They work, so a stored condition can have them. */
  isNew?: boolean;
}

interface Checking {
  readonly kind: ConditionPlace['kind'];
  readonly labels: readonly string[] | undefined;
  readonly isNew: boolean;
  readonly faults: ConditionFault[];
  /** The variable of the enclosing macro. */
  readonly variable?: { name: string; shape: Shape };
}

export function checkCondition(
  node: ConditionNode,
  { kind, callbackLabels, isNew = false }: ConditionPlace,
): ConditionFault[] {
  const checking: Checking = { kind, labels: callbackLabels && [...callbackLabels], isNew, faults: [] };
  const result = valueShape(node, checking).kind;
  if (!fits(result, 'boolean')) {
    addFault(checking, node, `the condition must be true or false, but it is ${nameOfKind(result)}.`);
  }
  return checking.faults;
}

const ofKind = (kind: Kind | 'any'): Shape => ({ kind });

function addFault({ faults }: Checking, { at }: { at: number }, detail: string | undefined): void {
  if (detail !== undefined) faults.push({ offset: at, detail });
}

/** The shape of a node that is used as a value. `experiment` alone cannot be. */
function valueShape(node: ConditionNode, checking: Checking): Shape {
  const shape = shapeOf(node, checking);
  if (!('fields' in shape) || shape.alone) return shape;
  const readable = Object.keys(shape.fields).map((name) => `${node.text}.${name}`);
  addFault(checking, node, `${node.text} cannot be used as a value. Use ${readable.join(', ')}.`);
  return any;
}

const shapeOf = (node: ConditionNode, checking: Checking): Shape => visit(shapes, node, checking);

const shapes: ByKind<Checking, Shape> = {
  literal: ({ value }) => ofKind(kindOf(value)),
  name: shapeOfName,
  field: (node, checking) => shapeOfField(node, shapeOf(node.of, checking), node.name, checking),
  index: shapeOfIndex,
  list: ({ items }, checking) => {
    for (const item of items) valueShape(item, checking);
    return ofKind('list');
  },
  unary: shapeOfUnary,
  binary: shapeOfBinary,
  choice: shapeOfChoice,
  call: shapeOfCall,
  has: ({ target }, checking) => {
    shapeOf(target, checking);
    return ofKind('boolean');
  },
  macro: shapeOfMacro,
};

function shapeOfName(node: NodeOf<'name'>, checking: Checking): Shape {
  const { name } = node;
  if (checking.variable?.name === name) return checking.variable.shape;
  const known = Object.hasOwn(names, name) ? names[name] : undefined;
  if (known === undefined) {
    const available = [...(checking.variable ? [checking.variable.name] : []), ...Object.keys(names)];
    addFault(checking, node, `${name} is not a known name. ${adviceForName(name, available, checking)}`);
  } else if (name === 'callbacks' && checking.kind === 'callback') {
    addFault(checking, node, 'the condition of a callback cannot read callbacks, because none has run yet.');
  } else return known;
  return any;
}

function adviceForName(name: string, available: readonly string[], { labels }: Checking): string {
  if (labels?.includes(name)) return `Did you mean callbacks['${name}']?`;
  const { experiment } = names;
  if (experiment && 'fields' in experiment && Object.hasOwn(experiment.fields, name))
    return `Did you mean experiment.${name}?`;
  const advice = suggestion(name, available);
  return advice.startsWith('Expected') ? `If it is text, write '${name}'. ${advice}` : advice;
}

/** The shape of `of.name` or `of['name']`. */
function shapeOfField(node: NodeOf<'field' | 'index'>, of: Shape, name: string, checking: Checking): Shape {
  const position = { at: node.kind === 'field' ? node.nameAt : node.index.at };
  if ('each' in of) {
    const { labels } = checking;
    if (of.of === 'callback' && labels?.includes(name) === false)
      addFault(checking, position, `the state has no callback "${name}". ${suggestion(name, labels)}`);
    return of.each;
  }
  if ('fields' in of) {
    const known = Object.hasOwn(of.fields, name) ? of.fields[name] : undefined;
    if (known) return known;
    addFault(checking, position, `${node.text} is not a known field. ${suggestion(name, Object.keys(of.fields))}`);
  } else if (!fits(of.kind, 'map', 'null'))
    addFault(checking, position, `${node.of.text} is ${nameOfKind(of.kind)} and has no field "${name}".`);
  return any;
}

function shapeOfIndex(node: NodeOf<'index'>, checking: Checking): Shape {
  const { of, index } = node;
  const shape = shapeOf(of, checking);
  if (index.kind === 'literal' && typeof index.value === 'string')
    return shapeOfField(node, shape, index.value, checking);
  const { kind } = valueShape(index, checking);
  if ('fields' in shape) {
    const readable = Object.keys(shape.fields).join(', ');
    addFault(checking, index, `${of.text} cannot be indexed with a computed name. Use one of: ${readable}.`);
  } else if (shape.kind === 'map' && !fits(kind, 'text')) {
    addFault(checking, index, `${of.text} needs a text key, not ${nameOfKind(kind)}.`);
  } else if (!fits(shape.kind, 'map', 'list', 'null')) {
    addFault(checking, node, `${of.text} is ${nameOfKind(shape.kind)} and cannot be indexed with [ ].`);
  }
  return 'each' in shape ? shape.each : any;
}

function shapeOfUnary(node: NodeOf<'unary'>, checking: Checking): Shape {
  const { kind } = valueShape(node.operand, checking);
  if (node.operator === '!') {
    addFault(checking, node, logicFault('!', node.operand.text, kind));
    return ofKind('boolean');
  }
  if (!fits(kind, 'number'))
    addFault(checking, node, `- needs a number, but ${node.operand.text} is ${nameOfKind(kind)}.`);
  return ofKind('number');
}

function shapeOfBinary(node: NodeOf<'binary'>, checking: Checking): Shape {
  const operands = [valueShape(node.left, checking), valueShape(node.right, checking)] as const;
  const [left, right] = [operands[0].kind, operands[1].kind];
  addFault(checking, node, operandFault(node, left, right));
  if (checking.isNew)
    for (const { literal, detail } of impossibleValues(node, operands)) addFault(checking, literal, detail);
  return ofKind(kindOfResult(node, left, right));
}

function shapeOfChoice(node: NodeOf<'choice'>, checking: Checking): Shape {
  addFault(checking, node, logicFault('? :', node.test.text, valueShape(node.test, checking).kind));
  const [yes, no] = [valueShape(node.yes, checking), valueShape(node.no, checking)];
  return ofKind(yes.kind === no.kind ? yes.kind : 'any');
}

function shapeOfCall(node: NodeOf<'call'>, checking: Checking): Shape {
  const given = node.values.map((value) => valueShape(value, checking).kind);
  const known = functions.get(node.name);
  const wrong = given.findIndex((kind) => known && !fits(kind, ...known.of));
  const { text } = node.values[wrong] ?? node;
  if (wrong >= 0) {
    addFault(
      checking,
      node,
      `${node.name}() needs ${known?.needs}, but ${text} is ${nameOfKind(given[wrong] ?? 'any')}.`,
    );
  }
  return ofKind(known?.gives ?? 'any');
}

function shapeOfMacro(node: NodeOf<'macro'>, checking: Checking): Shape {
  const { name, over, variable, body } = node;
  if (checking.variable) addFault(checking, node, `${name}() cannot be nested in another all, exists, filter or map.`);
  if (Object.hasOwn(names, variable)) addFault(checking, node, `${variable} is already defined. Choose another name.`);
  const { kind } = valueShape(over, checking);
  if (!fits(kind, 'list', 'map'))
    addFault(checking, node, `${name}() needs a list or a map, but ${over.text} is ${nameOfKind(kind)}.`);
  // Macros on a map iterate over its names.
  const inside = { ...checking, variable: { name: variable, shape: ofKind(kind === 'map' ? 'text' : 'any') } };
  const result = valueShape(body, inside).kind;
  if (name === 'map') return ofKind('list');
  addFault(checking, body, logicFault(name, body.text, result));
  return ofKind(name === 'filter' ? 'list' : 'boolean');
}
