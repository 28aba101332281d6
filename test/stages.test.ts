import { describe, expect, it } from 'vitest';
import { inSourceOrder } from '../src/base/diagnostics/diagnostic.ts';
import type { Outcome } from '../src/base/diagnostics/outcome.ts';
import { assignAddresses } from '../src/fleet/ipam/assign-addresses.ts';
import { decisionsOf, parseLock } from '../src/fleet/lock/lock.ts';
import { resolveModel } from '../src/fleet/model/resolve-model.ts';
import { resolveSharing } from '../src/fleet/sharing/resolve-sharing.ts';
import { checkTopology } from '../src/fleet/topology/check-topology.ts';
import { parseIdentities, parseKeys } from '../src/fleet/topology/parse-recorded.ts';
import { parseTopology } from '../src/fleet/topology/parse-topology.ts';
import { decideAssertions } from '../src/reach/trace/decide-assertions.ts';
import { goldenNames, goldenSources } from './support/golden.ts';

type Sources = ReturnType<typeof goldenSources>;

/** The diagnostics of each stage that the pipeline reaches. */
function* stages({ topology, included, keys, identities, lock }: Sources): Iterable<Outcome<unknown>> {
  const parsed = parseTopology(topology, included);
  yield parsed;
  const keysFile = keys && parseKeys(keys);
  if (keysFile) yield keysFile;
  const identitiesFile = identities && parseIdentities(identities);
  if (identitiesFile) yield identitiesFile;
  const lockFile = lock && parseLock(lock);
  if (lockFile) yield lockFile;
  if (!parsed.ok || keysFile?.ok === false || identitiesFile?.ok === false || lockFile?.ok === false) return;
  const checked = checkTopology(parsed.value);
  yield checked;
  if (!checked.ok) return;
  const decisions = decisionsOf(lockFile?.value);
  const model = resolveModel(checked.value, keysFile?.value, decisions);
  yield model;
  const addressed = model.ok ? assignAddresses(model.value, decisions) : undefined;
  if (addressed) yield addressed;
  const inputs = { declaration: checked.value, keys: keysFile?.value, identities: identitiesFile?.value };
  const shared = addressed?.ok ? resolveSharing(addressed.value, inputs) : undefined;
  if (shared) yield shared;
  if (shared?.ok) yield decideAssertions(shared.value, checked.value.assertions);
}

describe('every stage reports in the order of the source', () => {
  it.each(goldenNames())('%s', (golden) => {
    const sources = goldenSources(golden);
    for (const { diagnostics } of stages(sources)) {
      expect(diagnostics).toEqual(inSourceOrder(diagnostics, [sources.topology, sources.keys, sources.identities]));
    }
  });

  it('assertions, too, whose ends may be written in any order', () => {
    const text = `
version: 1
name: fleet
hub: zeta
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto }
clusters:
  rome: { podCIDR: 10.201.0.0/16 }
  zeta: { podCIDR: 10.202.0.0/16, gateway: 203.0.113.2 }
assertions:
  - to: { tier: one }
    from: { tier: two }
    expect: reachable
`;
    const topology = { path: 'topology.yaml', text };
    const found =
      [...stages({ topology, included: [], keys: undefined, identities: undefined, lock: undefined })].at(-1)
        ?.diagnostics ?? [];
    expect(found.map((it) => it.message)).toEqual([
      'no cluster has the labels tier: one',
      'no cluster has the labels tier: two',
    ]);
  });
});
