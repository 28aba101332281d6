import { type DerValue, TAG } from './der.ts';

/** Years of two digits before this one are of the 21st century. Source: RFC 5280, section 4.1.2.5.1. */
const FIRST_YEAR_OF_1900S = 50;

/** A time of a certificate as `2026-01-01T00:00:00Z`, which sorts as text; `undefined` for another form. */
export function readInstant(value: DerValue | undefined): string | undefined {
  const text = String.fromCharCode(...(value?.content ?? []));
  const year = value?.tag === TAG.utcTime ? 2 : 4;
  if (value?.tag !== TAG.utcTime && value?.tag !== TAG.generalizedTime) return undefined;
  const found = new RegExp(`^(\\d{${year}})(\\d\\d)(\\d\\d)(\\d\\d)(\\d\\d)(\\d\\d)Z$`).exec(text);
  if (found === null) return undefined;
  const [, digits = '', month, day, hours, minutes, seconds] = found;
  const century = year === 4 ? '' : Number(digits) < FIRST_YEAR_OF_1900S ? '20' : '19';
  return `${century}${digits}-${month}-${day}T${hours}:${minutes}:${seconds}Z`;
}

const DAY_SECONDS = 86_400;

/** Seconds since 1970 of such a text, by arithmetic alone; NaN for another one. */
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
