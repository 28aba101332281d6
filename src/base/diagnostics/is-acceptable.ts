import { CODES, type Code } from './codes.ts';

/** Stages that report about the topology at every compile. What the lock reports is over after one. */
const ROOMS: readonly string[] = ['ipam', 'keys', 'link', 'sharing', 'topology'];

/** Of these rooms, but not about what is compiled: entries of `accept` themselves, and the schema that editors use. */
const OTHERS: readonly Code[] = ['topology/acceptance-unused', 'topology/other-schema'];

/** Whether a topology may accept what has this code: a warning or a note of every compile. */
export const isAcceptable = (code: Code): boolean =>
  CODES[code] !== 'error' && ROOMS.includes(code.split('/')[0] ?? '') && !OTHERS.includes(code);
