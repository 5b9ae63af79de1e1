/** Schemas that several resources share: ids, labels, times, references (docs/decisions/0002). */
import { Type, type Static, type TProperties, type TSchema } from 'typebox';
import { recordOf } from './typed-keys.ts';

const control = '\\u0000-\\u001f\\u007f-\\u009f';
/** No control characters and no outer spaces. `.` and `..` would change the path that a label is part of. */
const labelPattern = (reserved: string, alsoForbidden = '') => {
  const inner = `[^${control}${alsoForbidden}]`;
  const outer = `[^\\s${control}${alsoForbidden}]`;
  return `^(?!(?:${reserved})$)${outer}(?:${inner}*${outer})?$`;
};
const dots = '\\.{1,2}';

const labelText = (
  maxLength: number,
  { pattern = labelPattern(dots), contain = 'control characters', be = '"." or ".."' } = {},
) =>
  Type.String({
    minLength: 1,
    maxLength,
    pattern,
    // The server normalizes labels to Unicode NFC.
    'x-label': true,
    'x-wanted': `must not contain ${contain}, start or end with a space, or be ${be}`,
  });

export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
export const Uri = Type.String({ description: 'The path of the object, including the base path.' });
export const ApiUri = Type.String({ description: 'The absolute URL of the object in the API.' });
export const WebUri = Type.String({ description: 'The absolute URL of the web page of the object.' });
export const Label = labelText(255);
/** For cohorts and workflows, whose paths reserve `by-label`. */
export const UnreservedLabel = labelText(255, {
  pattern: labelPattern(`${dots}|by-label`),
  be: '".", ".." or "by-label"',
});
export const SystemName = labelText(100);
/** HTTP Basic ends the username at the first colon. */
export const Username = labelText(255, {
  pattern: labelPattern(dots, ':'),
  contain: 'colons or control characters',
});
export const ExternalId = Type.String({ minLength: 1, maxLength: 1024 });
export const Url = Type.String({
  minLength: 1,
  maxLength: 1024,
  pattern: `^[^${control}]*$`,
  'x-wanted': 'must not contain control characters',
});
export const Email = Type.String({
  minLength: 3,
  maxLength: 255,
  pattern: '^[^\\s@<>(),;:"\\u0000-\\u001f\\u007f-\\u009f]+@[^\\s@<>(),;:"\\u0000-\\u001f\\u007f-\\u009f]+$',
  'x-wanted': 'must be an e-mail address such as name@example.org',
});
export const LongText = Type.String({ maxLength: 10_000 });
export const Time = Type.String({ format: 'date-time', description: 'A time in UTC, RFC 3339.' });
export const CalendarDate = Type.String({
  format: 'date',
  description: 'A calendar date, never shifted by a time zone.',
});
/* The same in a request, where validation/normalise.ts brings other notations into these formats. */
export const TimeInput = { ...Time, description: 'A time, RFC 3339. Without a UTC offset, the time is UTC.' };
export const CalendarDateInput = {
  ...CalendarDate,
  description: 'A calendar date, or a time at midnight, whose UTC offset is ignored.',
};

const day = '[0-9]{4}-[0-9]{2}-[0-9]{2}';
const fraction = '(?:\\.[0-9]{1,6})?';
export const Scandate = Type.String({
  pattern: `^${day}T[0-9]{2}:[0-9]{2}:[0-9]{2}${fraction}$`,
  description: "The scanner's local time, without a time zone.",
});
export const ScandateInput = Type.String({
  'x-wanted': 'must be a date or a date and time, such as 2026-11-15 or 2026-11-15T08:30:00',
  pattern: `^${day}(?:[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}${fraction})?(?:Z|[+-][0-9]{2}:[0-9]{2})?)?$`,
  format: 'scan-date',
  description:
    "A date, or a date and time in the scanner's local time. A UTC offset is ignored. A date without a time means midnight.",
});

export const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

/*
 * An optional field of a body says what null means. Null for `optional` is the same as an absent field, null for `clearable` clears
 * the field, and null for `guard` is rejected: null must not switch off a check or grant anything.
 */
export const optional = <S extends TSchema>(schema: S) => Type.Optional({ ...schema, 'x-null': 'absent' });
export const clearable = <S extends TSchema>(schema: S) => Type.Optional(nullable(schema));
export const guard = <S extends TSchema>(schema: S) => Type.Optional({ ...schema, 'x-null': 'rejected' });

/** A field of a response that is absent if it has no value. Use it only if the specification does; other fields are null. */
export const absentUnlessSet = <S extends TSchema>(schema: S) =>
  Type.Optional({ ...nullable(schema), 'x-null': 'absent' });

interface ClosedOptions {
  title?: string;
  description?: string;
  allOf?: ReturnType<typeof eitherOf>[];
}

/** An object with these fields and no others. */
export const closed = <P extends TProperties>(properties: P, options: ClosedOptions = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

/** For `allOf`: at least one of these fields is required, because several names refer to the same object. */
export const eitherOf = (...names: string[]) => ({ anyOf: names.map((name) => ({ required: [name] })) });

/** A second name of the field `name`, for existing clients. `field` is optional or clearable, like the field that it names. */
export const aliasOf = <S extends TSchema>(name: string, field: S) =>
  Type.Optional({ ...field, description: `Another name for \`${name}\`. If you send both, they must be equal.` });

/** A named schema, which becomes a component of the OpenAPI document. */
export const resource = <P extends TProperties>(title: string, description: string, properties: P) =>
  closed(properties, { title, description });

export const Ref = resource('Ref', 'The summary of an object, as shown in lists.', {
  id: Id,
  label: Label,
  uri: Uri,
});

export const UserName = closed({
  id: Id,
  name: Type.String({ description: 'The name of the user, or the username if it is empty.' }),
});

export const IdAndUri = closed({ id: Id, uri: Uri });

/** How a body refers to another object. A field that is called a label, name or protocol takes only that. */
export const Reference = Type.Union([Id, Type.String({ minLength: 1, maxLength: 1024 })], {
  description:
    'A number is an id. Text is a label or name, or else the URI of the object, or else the digits of its id. Text that ' +
    'matches more than one object is rejected.',
});

interface MapOptions {
  title?: string;
  description?: string;
  propertyNames?: TSchema;
  minProperties?: number;
}

/** An object with arbitrary keys. Type.Record would print a pattern, which code generators handle badly. */
export const mapOf = <S extends TSchema>(value: S, options: MapOptions = {}) =>
  Type.Unsafe<Record<string, Static<S>>>({ type: 'object', additionalProperties: value, ...options });

export const oneOf = <const T extends string[]>(words: readonly [...T], options: { description?: string } = {}) =>
  Type.Enum([...words], { type: 'string', ...options });

/** An object with arbitrary content. */
export const JsonObject = mapOf(Type.Unknown());

const ignored = () => Type.Optional(Type.Unknown({ readOnly: true, description: 'Accepted and ignored.' }));

/** Fields that PUT accepts and ignores, so that a client can send back the result of a GET. */
export const readOnly = <K extends string>(...names: K[]) => recordOf(names, ignored);

/** `{system_name: text}`, as in external_ids and external_urls. */
export const TextBySystem = mapOf(Type.String(), {
  title: 'TextBySystem',
  description: 'A text for each external system, by the name of the system.',
});

const bySystem = <S extends TSchema>(value: S) => mapOf(value, { propertyNames: SystemName, minProperties: 1 });
export const urlBySystem = bySystem(Url);
export const idBySystem = bySystem(ExternalId);

/** The specification declares some objects as text, so both forms are accepted. */
export const objectOrText = <S extends TSchema>(schema: S) =>
  Type.Union([schema, Type.String({ description: 'A string that contains the object as JSON.' })]);

/** In a path, digits also identify an object by its id, but only if nothing has that label or name. */
export const LabelInPath = { ...Label, description: 'A label or, if nothing has this label, the digits of an id.' };
export const SystemNameInPath = {
  ...SystemName,
  description: 'The name of an external system or, if none has this name, the digits of its id.',
};
export const ById = closed({ id: Id });
export const ByLabel = closed({ label: LabelInPath });
export const ByIdAndSystem = closed({ id: Id, system_name: SystemNameInPath });

const count = (description: string, maximum = Number.MAX_SAFE_INTEGER) =>
  Type.Optional(Type.Integer({ minimum: 0, maximum, description }));

/** The parameters of every list. */
export const page = {
  limit: count('The maximum number of rows. Without it, the list is complete.'),
  offset: count('The number of rows to skip. On long lists, `after` is faster.'),
  after: count('Only rows with a larger id. Use it to read the next page. It cannot be combined with `offset`.'),
};
export const Page = closed(page);

/** Lists with a default limit, because each row includes its related data. */
export const maxScreenRows = 1000;
export const screenLimit = (byDefault: number) =>
  count(`The maximum number of rows, up to ${maxScreenRows}. Default: ${byDefault}.`, maxScreenRows);
export const screenPage = (byDefault: number) => ({ ...page, limit: screenLimit(byDefault) });

export const LabelPrefix = Type.String({
  minLength: 1,
  maxLength: 255,
  'x-label': true,
  description: 'The beginning of a label. A to Z are case-insensitive.',
});

/** `{key: [element]}`, the form of every list. */
export const listOf = <K extends string, S extends TSchema>(key: K, element: S) =>
  closed(recordOf([key], () => Type.Array(element)));
