import type { Diagnostic } from '../../../../src/base/diagnostics/diagnostic.ts';
import type { Source } from '../../../../src/base/source/source.ts';
import { compile } from '../../../../src/compile.ts';
import { checker, drawn } from '../../../support/check-diagnostics.ts';

/** The diagnostics of a topology without keys. */
export const diagnose = (topology: Source): readonly Diagnostic[] =>
  compile({ topology, keys: undefined, lock: undefined }, { relock: [], only: [] }).diagnostics;

export const check = checker(diagnose);

/** A hub with two leaves, an island without a link, and a retired leaf; `more` is what is shared and offloaded. */
export const fleet = (more: string): string => `version: 1
name: europe
hub: rome
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, reserved: [192.168.0.0/24] }
clusters:
  rome: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10, labels: { tier: hub } }
  milan: { podCIDR: 10.202.0.0/16, labels: { tier: leaf } }
  turin: { podCIDR: 10.203.0.0/16, labels: { tier: leaf } }
  capri: { podCIDR: 10.204.0.0/16, hub: [], labels: { tier: island } }
  genoa: { podCIDR: 10.205.0.0/16, retired: true, labels: { tier: leaf } }
${more}`;

/** The errors and warnings about sharing that a fleet shows. */
export function codesOf(more: string): readonly string[] {
  const found = diagnose({ path: 'topology.yaml', text: drawn(fleet(more)).text });
  return found.filter((it) => it.code.startsWith('sharing/') && it.severity !== 'note').map((it) => it.code);
}
