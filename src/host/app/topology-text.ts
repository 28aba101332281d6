import type { Sources } from '../../compile.ts';

/** The text of a topology together with those of the files that it includes. */
export const topologyText = ({ topology, included = [] }: Sources): string =>
  [topology, ...included].map((it) => it.text).join('\n');
