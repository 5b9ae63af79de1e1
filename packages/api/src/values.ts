/** The values that several resources share: ids, labels, times, references (behaviour of values: docs/decisions/0002). */
import { Type, type Static, type TProperties, type TSchema } from 'typebox';
import { recordOf } from './records.ts';

const control = '\\u0000-\\u001f\\u007f-\\u009f';
/** No control characters, no outer spaces; a label is a segment of paths, so `.` and `..` cannot be one. */
const labelPattern = (refused: string, alsoForbidden = '') => {
  const inner = `[^${control}${alsoForbidden}]`;
  const outer = `[^\\s${control}${alsoForbidden}]`;
  return `^(?!(?:${refused})$)${outer}(?:${inner}*${outer})?$`;
};
const dots = '\\.{1,2}';

const labelText = (maxLength: number, pattern = labelPattern(dots)) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern,
    // Compared as one form of Unicode, NFC, which the server makes of what it gets.
    'x-label': true,
    'x-wanted': 'must have no control characters, no spaces at its ends, and must not be a word that paths need',
  });

export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
export const Uri = Type.String({ description: 'The path of this resource, with the base path.' });
export const ApiUri = Type.String({ description: 'The absolute address of this resource in the interface.' });
export const WebUri = Type.String({ description: 'The absolute address of the page that shows this resource.' });
export const Label = labelText(255);
/** For cohorts and workflows, whose labels stand in paths beside `by-label`. */
export const LabelBesideByLabel = labelText(255, labelPattern(`${dots}|by-label`));
export const SystemName = labelText(100);
/** Basic credentials end the username at the first colon. */
export const Username = labelText(255, labelPattern(dots, ':'));
export const ExternalId = Type.String({ minLength: 1, maxLength: 1024 });
export const Url = Type.String({
  minLength: 1,
  maxLength: 1024,
  pattern: `^[^${control}]*$`,
  'x-wanted': 'must have no control characters',
});
export const LongText = Type.String({ maxLength: 10_000 });
export const Time = Type.String({ format: 'date-time', description: 'A moment in UTC, RFC 3339.' });
export const CalendarDate = Type.String({
  format: 'date',
  description: 'A calendar date, never shifted by a time zone.',
});

const day = '[0-9]{4}-[0-9]{2}-[0-9]{2}';
const fraction = '(?:\\.[0-9]{1,6})?';
export const Scandate = Type.String({
  pattern: `^${day}T[0-9]{2}:[0-9]{2}:[0-9]{2}${fraction}$`,
  description: "The scanner's wall clock, without a time zone.",
});
export const ScandateInput = Type.String({
  pattern: `^${day}(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}${fraction})?(?:Z|[+-][0-9]{2}:[0-9]{2})?)?$`,
  format: 'scan-date',
  description:
    "A date or a date and time on the scanner's wall clock. An offset is dropped; a bare date means midnight.",
});

export const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

interface ClosedOptions {
  title?: string;
  description?: string;
  allOf?: ReturnType<typeof eitherOf>[];
}

/** An object that holds these fields and no others. */
export const closed = <P extends TProperties>(properties: P, options: ClosedOptions = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

/** For `allOf`: one of these fields must be there, as several names stand for the same thing. */
export const eitherOf = (...names: string[]) => ({ anyOf: names.map((name) => ({ required: [name] })) });

/** A named shape: printed once as a component of the document, and referred to everywhere else. */
export const resource = <P extends TProperties>(title: string, description: string, properties: P) =>
  closed(properties, { title, description });

export const Ref = resource('Ref', 'The summary of a resource, as lists show it.', {
  id: Id,
  label: Label,
  uri: Uri,
});

export const IdAndUri = closed({ id: Id, uri: Uri });

/** How a body names another resource. */
export const Reference = Type.Union([Id, Type.String({ minLength: 1, maxLength: 1024 })], {
  description: 'An id (a number, or all digits), a uri (a text with a slash), or else a label or name.',
});

interface MapOptions {
  description?: string;
  propertyNames?: TSchema;
  minProperties?: number;
}

/** An object with names of the caller's choice. Type.Record would print a pattern, which generators read badly. */
export const mapOf = <S extends TSchema>(value: S, options: MapOptions = {}) =>
  Type.Unsafe<Record<string, Static<S>>>({ type: 'object', additionalProperties: value, ...options });

/** One of a few words. */
export const oneOf = <const T extends string[]>(words: readonly [...T], options: { description?: string } = {}) =>
  Type.Enum([...words], { type: 'string', ...options });

/** An object whose inside is not ours to define. */
export const JsonObject = mapOf(Type.Unknown());

const ignored = () => Type.Optional(Type.Unknown({ readOnly: true, description: 'Accepted and ignored.' }));

/** What PUT accepts and ignores, so that what GET answered can be changed and sent back whole. */
export const readOnly = <K extends string>(...names: K[]) => recordOf(names, ignored);

/** `{system_name: text}`: what external_ids and external_urls answer. */
export const TextBySystem = mapOf(Type.String());

const bySystem = <S extends TSchema>(value: S) => mapOf(value, { propertyNames: SystemName, minProperties: 1 });
export const urlBySystem = bySystem(Url);
export const idBySystem = bySystem(ExternalId);

/** The specification declares some objects as text: both forms are taken. */
export const objectOrText = <S extends TSchema>(schema: S) =>
  Type.Union([schema, Type.String({ description: 'The same object as JSON text.' })]);

export const ById = closed({ id: Id });
export const ByLabel = closed({ label: Label });
export const ByIdAndSystem = closed({ id: Id, system_name: SystemName });

const count = (description: string, maximum = Number.MAX_SAFE_INTEGER) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum, description }));

/** The parameters of every list. */
export const page = {
  limit: count('At most this many rows. Without it a list answers every row.'),
  offset: count('Skip this many rows. Prefer `after` for deep pages.'),
  after: count('Only rows with a larger id: the key of the next page. Not with `offset`.'),
};
export const Page = closed(page);

/** What screens show is read with everything around it, so it comes in pages only. */
export const mostOnScreen = 1000;
export const screenLimit = (usual: number) =>
  count(`At most this many, up to ${mostOnScreen}. Default: ${usual}.`, mostOnScreen);
export const screenPage = (usual: number) => ({ ...page, limit: screenLimit(usual) });

/** The beginning of a label, as somebody types it. */
export const LabelPrefix = Type.String({
  minLength: 1,
  maxLength: 255,
  'x-label': true,
  description: 'The beginning of a label. Whether A to Z are written large or small does not matter.',
});

/** `{key: [element]}`: what every list answers. */
export const listOf = <K extends string, S extends TSchema>(key: K, element: S) =>
  closed(recordOf([key], () => Type.Array(element)));
