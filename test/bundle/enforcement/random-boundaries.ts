import fc from 'fast-check';
import { type Compiled, compile } from '../../../src/compile.ts';
import { PROBED_PORTS } from '../../../src/reach/lab/lab-plan.ts';
import { keysOf } from '../../support/keys-of.ts';

/* Fleets with closed links, and entries about them as random terms. */

const START =
  'version: 1\nname: fleet\ndefaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, boundary: closed }\n';
const GATEWAYS = (pods: readonly string[], more: readonly string[] = []) =>
  `clusters:\n${pods.map((it, i) => `  ${NAMES[i]}: { podCIDR: ${it}, gateway: 203.0.113.${i + 1}${more[i] ?? ''} }\n`).join('')}`;
const NAMES = ['hub', 'rome', 'milan', 'turin'] as const;

export const FLEETS: Readonly<Record<string, string>> = {
  'a star of four': `${START}hub: hub\n${GATEWAYS(['10.200.0.0/16', '10.201.0.0/16', '10.202.0.0/16', '10.203.0.0/16'])}`,
  'equal networks everywhere': `${START}hub: hub\n${GATEWAYS(Array(4).fill('10.202.0.0/16'))}shortcuts: [[rome, milan], [milan, turin]]\n`,
  'several pod networks': `${START}hub: hub\n${GATEWAYS(['10.200.0.0/16', '[10.201.0.0/16, 10.211.0.0/20]', '[10.202.0.0/18, 10.202.64.0/18]'])}shortcuts: [[rome, milan]]\n`,
  'Liqo 1.1': `${START}liqo: { version: "1.1" }\nhub: hub\n${GATEWAYS(Array(3).fill('10.244.0.0/16'))}shortcuts: [[rome, milan]]\n`,
  'a cluster that masquerades its pods': `${START}hub: hub\n${GATEWAYS(['10.200.0.0/16', '10.201.0.0/16', '10.202.0.0/16'], ['', ', cni: aws-vpc'])}`,
  'a mesh with an open link': `${START}${GATEWAYS(['10.200.0.0/16', '10.200.0.0/16', '10.202.0.0/16'])}peerings: [[hub, rome], [rome, milan], { between: [hub, milan], boundary: open }]\n`,
};

export interface Term {
  readonly from: number;
  readonly to: number;
  readonly part: number | null;
  readonly masqueraded: boolean;
  readonly protocol: 'TCP' | 'UDP' | null;
  readonly ports: readonly string[];
}

const port = fc.oneof(
  fc.constantFrom(...Object.values(PROBED_PORTS)).map(String),
  fc.integer({ min: 1, max: 65_535 }).map(String),
  fc.integer({ min: 1, max: 60_000 }).map((it) => `${it}-${it + 100}`),
);
export const arbitraryTerm: fc.Arbitrary<Term> = fc.record({
  from: fc.nat(3),
  to: fc.nat(3),
  part: fc.option(fc.nat(255)),
  masqueraded: fc.boolean(),
  protocol: fc.constantFrom('TCP', 'UDP', null),
  ports: fc.array(port, { maxLength: 3 }),
});

/** The fleet with these entries; those that no fleet accepts are left out one by one. */
export function compiledWith(fleet: string, terms: readonly Term[]): Compiled {
  const count = [...fleet.matchAll(/podCIDR/g)].length;
  const pods = [...fleet.matchAll(/podCIDR: \[?([\d.]+)\.\d+\.\d+\//g)].map((it) => it[1] ?? '');
  const entries = terms.map((it) => {
    const [from, to] = [it.from % count, it.to % count];
    const part = it.part === null || it.masqueraded ? '' : `fromCIDR: ${pods[from]}.${it.part % 16}.0/24, `;
    const ports = it.ports.length === 0 ? '' : `ports: [${it.ports.join(', ')}], `;
    const protocol = it.protocol === null ? '' : `protocol: ${it.protocol}, `;
    return `  - { from: ${NAMES[from]}, ${part}${ports}${protocol}masqueraded: ${it.masqueraded}, to: ${NAMES[to]} }\n`;
  });
  const whole = attempt(fleet, entries);
  if (whole !== undefined) return whole;
  let kept: readonly string[] = [];
  let last = attempt(fleet, kept);
  for (const it of entries) {
    const next = attempt(fleet, [...kept, it]);
    if (next === undefined) continue;
    [kept, last] = [[...kept, it], next];
  }
  if (last === undefined) throw new Error(`the fleet has errors: ${fleet}`);
  return last;
}

function attempt(fleet: string, entries: readonly string[]): Compiled | undefined {
  const topology = {
    path: 'topology.yaml',
    text: `${fleet}boundaries:${entries.length === 0 ? ' []\n' : `\n${entries.join('')}`}`,
  };
  const result = compile({ topology, keys: keysOf(topology), lock: undefined }, { relock: [], only: null });
  return result.ok ? result.value : undefined;
}
