import { factsOfModel } from '../../../src/answers/graph/fleet-facts.ts';
import type { FleetGraph } from '../../../src/answers/graph/fleet-graph.ts';
import { foldFleet } from '../../../src/answers/graph/fold-fleet.ts';
import { type Compiled, compile } from '../../../src/compile.ts';

/** The picture of a compiled fleet, as `weft graph` draws it. */
export const graphOf = ({ model }: Pick<Compiled, 'model'>, label: string | null = 'region'): FleetGraph =>
  foldFleet(factsOfModel(model, label), { title: model.fleet.name, most: 60 });

/** The picture of a topology, in text. */
export function graphOfText(text: string, label: string | null = 'region'): FleetGraph {
  const result = compile(
    { topology: { path: 'topology.yaml', text }, keys: undefined, lock: undefined },
    { relock: [], only: [] },
  );
  if (!result.ok) throw new Error(result.diagnostics.map((it) => it.message).join('\n'));
  return graphOf(result.value, label);
}

interface StarSettings {
  readonly hubs: number;
  readonly spokes: number;
  /** Pairs of spokes by number. */
  readonly shortcuts?: readonly (readonly [number, number])[];
}

/** A fleet with spokes in turn under several hubs, each hub with its spokes in a region of its own. */
export function starText({ hubs, spokes, shortcuts = [] }: StarSettings): string {
  const names = Array.from({ length: hubs }, (_, i) => `hub-${i}`);
  const spokeLine = (i: number): string =>
    `  spoke-${i}: { podCIDR: ${podCIDR(i)}, hub: hub-${i % hubs}, labels: { region: r${i % hubs} }, gateway: 203.0.${Math.floor(i / 256)}.${i % 256} }`;
  return [
    'version: 1',
    'name: star',
    `hub: [${names.join(', ')}]`,
    'defaults: { serviceCIDR: 172.16.0.0/16, externalCIDR: auto }',
    'clusters:',
    ...names.map(
      (it, i) => `  ${it}: { podCIDR: 10.${i}.0.0/16, gateway: 198.51.100.${i}, labels: { region: r${i} } }`,
    ),
    ...Array.from({ length: spokes }, (_, i) => spokeLine(i)),
    ...(shortcuts.length === 0 ? [] : ['shortcuts:', ...shortcuts.map(([a, b]) => `  - [spoke-${a}, spoke-${b}]`)]),
    '',
  ].join('\n');
}

/** Different for a few thousand spokes, and of no hub. */
const podCIDR = (i: number): string => `10.${100 + Math.floor(i / 64)}.${(i % 64) * 4}.0/22`;
