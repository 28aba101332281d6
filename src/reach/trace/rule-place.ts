import { printBundlePath } from '../../base/core/bundle-path.ts';
import { bug } from '../../base/diagnostics/bug.ts';
import { ruleLines } from '../../bundle/nftables/print-ruleset.ts';
import { gatewayHeader, nodeHeader } from '../../bundle/nftables/render-snippets.ts';
import type { NftRule } from '../../bundle/nftables/ruleset.ts';
import type { AddressedModel } from '../../fleet/ipam/addressed-model.ts';
import { clusterNamed } from '../../fleet/ipam/cluster-named.ts';
import type { AppliedRule } from './packet-hop.ts';
import { rulesetOf } from './rulesets.ts';

/** The place of a rule in the bundle. */
interface RulePlace {
  /** Below `out/`. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
}

/**
 * The snippet and the line of a rule that was applied. It prints the whole snippet, so call it only for displayed
 * rules.
 */
export function rulePlace(model: AddressedModel, applied: AppliedRule): RulePlace {
  const { cluster: name, peer: peerName, device, rule } = applied;
  const cluster = clusterNamed(model, name);
  const peer = cluster.peers.get(peerName) ?? bug(`a rule of "${name}" for "${peerName}", which is no peer`);
  const header = device === 'gateway' ? gatewayHeader : nodeHeader;
  const lines: ReadonlyMap<NftRule, number> = ruleLines(
    rulesetOf(cluster, peer, device),
    header(cluster, peer, model.fleet),
  );
  const line = lines.get(rule) ?? bug(`no snippet contains rule "${rule.name}"`);
  const part = device === 'gateway' ? 'gateway-rules' : 'node-rules';
  return { file: printBundlePath({ part, cluster: name, peer: peerName }), line };
}
