import { decodedPart } from '../../base/core/encodings.ts';
/** The views of a page, in the order of its navigation. */
export const VIEWS = [
  'map',
  'eyes',
  'trace',
  'without',
  'links',
  'ports',
  'room',
  'loans',
  'files',
  'warnings',
  'changes',
  'live',
] as const;

export type View = (typeof VIEWS)[number];

/** A place in the page: `#trace=rome/10.202.0.5,milan`. */
export interface Route {
  readonly view: View;
  readonly parts: readonly string[];
}

/** @param start the view of an address that names none */
export function readRoute(hash: string, start: View = 'map'): Route {
  const [, name = '', rest = ''] = /^#?([^=]*)=?(.*)$/s.exec(hash) ?? [];
  const view = VIEWS.find((it) => it === name) ?? start;
  return { view, parts: rest === '' ? [] : rest.split(',').map(decodedPart) };
}

export const printRoute = (view: View, ...parts: readonly string[]): string =>
  parts.length === 0 ? `#${view}` : `#${view}=${parts.map(encoded).join(',')}`;

/** Slashes and colons of addresses stay readable. */
const encoded = (part: string): string => encodeURIComponent(part).replace(/%2F/g, '/').replace(/%3A/g, ':');
