/** Typed access to the JSON of a forge, which may be a different server than configured. */
export interface AnswerFields {
  readonly text: (name: string) => string;
  /** The empty string when the field is missing or `null`. */
  readonly textOrNone: (name: string) => string;
  readonly number: (name: string) => number;
  readonly numberOrNull: (name: string) => number | null;
  readonly flag: (name: string) => boolean;
  /** `false` when the field is missing or `null`. */
  readonly flagOrFalse: (name: string) => boolean;
  readonly fields: (name: string) => AnswerFields;
  /** `null` when the field is missing or `null`. */
  readonly fieldsOrNull: (name: string) => AnswerFields | null;
  /** An empty list when the field is missing or `null`. */
  readonly list: (name: string) => readonly AnswerFields[];
}

/** Thrown when a response lacks a required field. */
export class UnexpectedAnswer extends Error {
  override readonly name = 'UnexpectedAnswer';
}

export function fieldsOf(value: unknown): AnswerFields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unexpected('an object', value);
  const at = (name: string): unknown => (Object.hasOwn(value, name) ? (value as Json)[name] : undefined);
  const field = <T>(name: string, kind: string, is: (it: unknown) => it is T): T => {
    const it = at(name);
    if (is(it)) return it;
    throw unexpected(`${kind} "${name}"`, it);
  };
  const isNone = (name: string): boolean => at(name) === undefined || at(name) === null;
  return {
    text: (name) => field(name, 'a text', (it): it is string => typeof it === 'string'),
    textOrNone: (name) => (isNone(name) ? '' : field(name, 'a text', (it): it is string => typeof it === 'string')),
    number: (name) => field(name, 'a number', (it): it is number => Number.isSafeInteger(it)),
    numberOrNull: (name) =>
      isNone(name) ? null : field(name, 'a number', (it): it is number => Number.isSafeInteger(it)),
    flag: (name) => field(name, 'true or false', (it): it is boolean => typeof it === 'boolean'),
    flagOrFalse: (name) =>
      !isNone(name) && field(name, 'true or false', (it): it is boolean => typeof it === 'boolean'),
    fields: (name) => fieldsOf(at(name)),
    fieldsOrNull: (name) => (isNone(name) ? null : fieldsOf(at(name))),
    list: (name) => (isNone(name) ? [] : listOf(at(name))),
  };
}

export function listOf(value: unknown): readonly AnswerFields[] {
  if (!Array.isArray(value)) throw unexpected('a list', value);
  return value.map(fieldsOf);
}

type Json = Readonly<Record<string, unknown>>;

const unexpected = (wanted: string, found: unknown): UnexpectedAnswer =>
  new UnexpectedAnswer(`the answer has ${jsonKind(found)} instead of ${wanted}`);

function jsonKind(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
