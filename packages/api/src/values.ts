/** The values that several resources share: ids, labels, times, references (behaviour of values: docs/decisions/0002). */
import { Type, type TProperties, type TSchema } from 'typebox';

const control = '\\u0000-\\u001f\\u007f-\\u009f';
const labelPattern = `^(?!\\.{1,2}$)[^\\s${control}]([^${control}]*[^\\s${control}])?$`;

const labelText = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: labelPattern });

export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });
export const Uri = Type.String({ description: 'The path of this resource, with the base path.' });
export const ApiUri = Type.String({ description: 'The absolute address of this resource in the interface.' });
export const WebUri = Type.String({ description: 'The absolute address of the page that shows this resource.' });
export const Label = labelText(255);
export const SystemName = labelText(100);
export const ExternalId = Type.String({ minLength: 1, maxLength: 1024 });
export const Url = Type.String({ minLength: 1, maxLength: 1024 });
export const LongText = Type.String({ maxLength: 10_000 });
export const Time = Type.String({ format: 'date-time', description: 'A moment in UTC, RFC 3339.' });
export const CalendarDate = Type.String({ format: 'date', description: 'A calendar date, never shifted by a time zone.' });

export const nullable = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);

/** An object that holds these fields and no others. */
export const closed = <P extends TProperties>(properties: P, options: { title?: string; description?: string } = {}) =>
  Type.Object(properties, { additionalProperties: false, ...options });

/** A named shape: printed once as a component of the document, and referred to everywhere else. */
export const resource = <P extends TProperties>(title: string, description: string, properties: P) =>
  closed(properties, { title, description });

export const Ref = resource('Ref', 'The summary of a resource, as lists show it.', {
  id: Id,
  label: Label,
  uri: Uri,
});

const ignored = () => Type.Optional(Type.Unknown({ readOnly: true, description: 'Accepted and ignored.' }));

/** What PUT accepts and ignores, so that what GET answered can be changed and sent back whole. */
export const readOnly = <K extends string>(...names: K[]) =>
  Object.fromEntries(names.map((name) => [name, ignored()])) as Record<K, ReturnType<typeof ignored>>;

/** `{system_name: text}`: what external_ids and external_urls answer. */
export const TextBySystem = Type.Record(Type.String(), Type.String());

const bySystem = <S extends TSchema>(value: S) =>
  Type.Record(Type.String(), value, { propertyNames: SystemName, minProperties: 1 });
export const urlBySystem = bySystem(Url);
export const idBySystem = bySystem(ExternalId);

/** The specification declares some objects as text: both forms are taken. */
export const objectOrText = <S extends TSchema>(schema: S) =>
  Type.Union([schema, Type.String({ description: 'The same object as JSON text.' })]);

export const ById = closed({ id: Id });
export const ByLabel = closed({ label: Label });

/** The parameters of every list. */
export const page = {
  limit: Type.Optional(
    Type.Integer({ minimum: 0, description: 'At most this many rows. Without it a list answers every row.' }),
  ),
  offset: Type.Optional(Type.Integer({ minimum: 0, description: 'Skip this many rows. Prefer `after` for deep pages.' })),
  after: Type.Optional(
    Type.Integer({ minimum: 0, description: 'Only rows with a larger id: the key of the next page. Not with `offset`.' }),
  ),
};
export const Page = closed(page);

/** `{key: [element]}`: what every list answers. */
export const listOf = <K extends string, S extends TSchema>(key: K, element: S) =>
  closed({ [key]: Type.Array(element) } as Record<K, ReturnType<typeof Type.Array<S>>>);
