import type { Finding } from '../../../src/live/drift/drift.ts';

/** One line for a finding, without its place. */
export function lineOf(it: Finding): string {
  const object = `${it.object.kind} ${it.object.namespace ?? ''}/${it.object.name}`;
  return it.kind === 'different'
    ? `${object} ${it.path.join('.')}: ${JSON.stringify(it.promised)} is ${JSON.stringify(it.live)}`
    : `${it.kind} ${object}`;
}
