import { textOfBytes } from '../../base/core/encodings.ts';
import { type Bytes, hexOf } from './bytes.ts';

/** The tags that requests and certificates use. Source: ITU-T X.690, section 8; those from 0x80 are context-specific. */
export const TAG = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  objectId: 0x06,
  utf8String: 0x0c,
  printableString: 0x13,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
  attributes: 0xa0,
  version: 0xa0,
  extensions: 0xa3,
} as const;

export interface DerValue {
  readonly tag: number;
  readonly content: Bytes;
  /** With tag and length. */
  readonly whole: Bytes;
}

export function printDer(tag: number, ...parts: readonly Bytes[]): Bytes {
  const content = parts.flat();
  return [tag, ...lengthOf(content.length), ...content];
}

/**
 * The length of a value: up to 127 in one byte; above, the number of bytes followed by these bytes. Source: ITU-T
 * X.690, section 8.1.3.
 */
function lengthOf(count: number): Bytes {
  if (count < 0x80) return [count];
  const bytes: number[] = [];
  for (let left = count; left > 0; left = Math.floor(left / 0x100)) bytes.unshift(left % 0x100);
  return [0x80 | bytes.length, ...bytes];
}

/** The single value of these bytes; `undefined` if they are not DER, or if more bytes follow it. */
export function readDer(bytes: Bytes): DerValue | undefined {
  const values = readDerList(bytes);
  return values?.length === 1 ? values[0] : undefined;
}

/**
 * The consecutive values in these bytes, the content of a constructed value; `undefined` for other bytes. Only DER is
 * read: definite lengths, each in its shortest form, and tags of one byte.
 */
export function readDerList(bytes: Bytes): readonly DerValue[] | undefined {
  const values: DerValue[] = [];
  for (let at = 0; at < bytes.length; ) {
    const tag = bytes[at] ?? 0;
    const length = readLength(bytes, at + 1);
    if (length === undefined || (tag & 0x1f) === 0x1f) return undefined;
    const end = length.start + length.count;
    if (end > bytes.length) return undefined;
    values.push({ tag, content: bytes.slice(length.start, end), whole: bytes.slice(at, end) });
    at = end;
  }
  return values;
}

/** Largest number of length bytes: longer values are no request or certificate. */
const MOST_LENGTH_BYTES = 3;

function readLength(bytes: Bytes, at: number): { readonly count: number; readonly start: number } | undefined {
  const first = bytes[at];
  if (first === undefined) return undefined;
  if (first < 0x80) return { count: first, start: at + 1 };
  const size = first & 0x7f;
  const digits = bytes.slice(at + 1, at + 1 + size);
  if (size === 0 || size > MOST_LENGTH_BYTES || digits.length < size) return undefined;
  const count = digits.reduce((sum, it) => sum * 0x100 + it, 0);
  const isShortest = lengthOf(count).length === 1 + size;
  return isShortest ? { count, start: at + 1 + size } : undefined;
}

/** The parts of a sequence or set; `undefined` for another value. */
export function partsOf(value: DerValue | undefined, tag: number): readonly DerValue[] | undefined {
  return value?.tag === tag ? readDerList(value.content) : undefined;
}

/**
 * The bytes of an object identifier in hexadecimal; `undefined` for another value. Each of its numbers ends with a byte
 * below 0x80, and begins with another one than 0x80. Source: ITU-T X.690, section 8.19.
 */
export function readObjectId(value: DerValue | undefined): string | undefined {
  if (value?.tag !== TAG.objectId || value.content.length === 0) return undefined;
  const isStart = (at: number): boolean => (value.content[at - 1] ?? 0) < 0x80;
  const isValid = value.content.every((it, at) => it !== 0x80 || !isStart(at)) && isStart(value.content.length);
  return isValid ? hexOf(value.content) : undefined;
}

/** Years with two digits below this one belong to the 21st century. Source: RFC 5280, section 4.1.2.5.1. */
const FIRST_YEAR_OF_1900S = 50;

/** Month, day, hours, minutes and seconds with two digits each, and `Z`. */
const LENGTH_AFTER_YEAR = 11;

/**
 * A time in a certificate as text, such as `2026-01-01T00:00:00Z`, which sorts correctly; `undefined` for another form.
 */
export function readInstant(value: DerValue | undefined): string | undefined {
  if (value?.tag !== TAG.utcTime && value?.tag !== TAG.generalizedTime) return undefined;
  const year = value.tag === TAG.utcTime ? 2 : 4;
  if (value.content.length !== year + LENGTH_AFTER_YEAR) return undefined;
  const found = new RegExp(`^(\\d{${year}})(\\d\\d)(\\d\\d)(\\d\\d)(\\d\\d)(\\d\\d)Z$`).exec(
    textOfBytes(value.content),
  );
  if (found === null) return undefined;
  const [, digits = '', month, day, hours, minutes, seconds] = found;
  const century = year === 4 ? '' : Number(digits) < FIRST_YEAR_OF_1900S ? '20' : '19';
  return `${century}${digits}-${month}-${day}T${hours}:${minutes}:${seconds}Z`;
}

const DAY_SECONDS = 86_400;

/** Seconds since 1970 for such a text, by arithmetic alone; NaN for another text. */
export function secondsOf(instant: string): number {
  const numbers = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)Z$/.exec(instant)?.slice(1).map(Number) ?? [];
  const [year = Number.NaN, month = 1, day = 1, hours = 0, minutes = 0, seconds = 0] = numbers;
  return daysOf(year, month, day) * DAY_SECONDS + hours * 3600 + minutes * 60 + seconds;
}

const DAYS_BEFORE_MONTH = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334];

/** Days since 1970-01-01 in the Gregorian calendar. */
function daysOf(year: number, month: number, day: number): number {
  const leapDays = (until: number): number => Math.floor(until / 4) - Math.floor(until / 100) + Math.floor(until / 400);
  const isLeap = leapDays(year) > leapDays(year - 1);
  const inYear = (DAYS_BEFORE_MONTH[month - 1] ?? 0) + (isLeap && month > 2 ? 1 : 0) + day - 1;
  return (year - 1970) * 365 + leapDays(year - 1) - leapDays(1969) + inYear;
}
