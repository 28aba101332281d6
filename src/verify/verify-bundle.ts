import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import type { Prefix } from '../net/prefix.ts';
import { readPrefix } from '../net/text.ts';
import { placeAt } from '../source/source.ts';
import { addressesFileAgrees } from './checks/addresses-file-agrees.ts';
import { addressesMeanOneThing } from './checks/addresses-mean-one-thing.ts';
import { announcementsAgree } from './checks/announcements-agree.ts';
import { argoAppliesEveryCluster } from './checks/argo-applies-every-cluster.ts';
import { assertionsHold } from './checks/assertions-hold.ts';
import { blocksAreFree } from './checks/blocks-are-free.ts';
import type { BundleCheck } from './checks/bundle-check.ts';
import { connectionsFitGateways } from './checks/connections-fit-gateways.ts';
import { filesAreAskedFor } from './checks/files-are-asked-for.ts';
import { fluxAppliesEveryCluster } from './checks/flux-applies-every-cluster.ts';
import { gatewaysAgree } from './checks/gateways-agree.ts';
import { keysAgree } from './checks/keys-agree.ts';
import { kustomizationsListWhatIsThere } from './checks/kustomizations-list-what-is-there.ts';
import { objectsAreAskedFor } from './checks/objects-are-asked-for.ts';
import { objectsAreFoundByLiqo } from './checks/objects-are-found-by-liqo.ts';
import { ownAddressesAgree } from './checks/own-addresses-agree.ts';
import { pairsDeliverAndReturn } from './checks/pairs-deliver-and-return.ts';
import { portsAreApart } from './checks/ports-are-apart.ts';
import { rulesCarryOutViews } from './checks/rules-carry-out-views.ts';
import { shortcutsAgree } from './checks/shortcuts-agree.ts';
import { templatesCarryOutSettings } from './checks/templates-carry-out-settings.ts';
import { viewsAgree } from './checks/views-agree.ts';
import { viewsFollowTheIpam } from './checks/views-follow-the-ipam.ts';
import { wavesFollowTheOrder } from './checks/waves-follow-the-order.ts';
import { compareWithCompiled } from './compare-with-compiled.ts';
import { type Expectation, expectationOf, type VerifySources } from './expectation.ts';
import { expectAddresses, type OwnBlocks } from './expected/expect-addresses.ts';
import type { FoundText } from './kube-object.ts';
import { readBundle } from './read-bundle.ts';
import { type RebuiltCluster, type RebuiltNetwork, rebuildNetwork } from './rebuild-network.ts';

/** In this order: of two promises that break on one line, the first one is told. */
const CHECKS: readonly BundleCheck[] = [
  filesAreAskedFor,
  objectsAreAskedFor,
  objectsAreFoundByLiqo,
  gatewaysAgree,
  templatesCarryOutSettings,
  portsAreApart,
  keysAgree,
  ownAddressesAgree,
  blocksAreFree,
  announcementsAgree,
  addressesMeanOneThing,
  viewsAgree,
  viewsFollowTheIpam,
  rulesCarryOutViews,
  pairsDeliverAndReturn,
  assertionsHold,
  addressesFileAgrees,
  connectionsFitGateways,
  shortcutsAgree,
  kustomizationsListWhatIsThere,
  wavesFollowTheOrder,
  argoAppliesEveryCluster,
  fluxAppliesEveryCluster,
];

export interface VerifyRequest {
  /** The files below `out/`, by path. */
  readonly files: ReadonlyMap<string, string>;
  /** `out`, as the user typed it. */
  readonly root: string;
  /** What the bundle is compiled from. */
  readonly sources: VerifySources;
  /** What the topology compiles to. */
  readonly compiled: ReadonlyMap<string, string>;
}

/** Every promise of the bundle that its files break, by file and line. None: they keep all of them. */
export function verifyBundle({ files, root, sources, compiled }: VerifyRequest): readonly Diagnostic[] {
  const bundle = readBundle(files, root);
  const expected = expectationOf(sources);
  const network = rebuildNetwork(bundle, expected);
  const evidence = { expected, bundle, network, addresses: addressesOf(expected, network) };
  const found = toldOnce([...bundle.problems, ...CHECKS.flatMap((check) => [...check(evidence)])]);
  const told = new Set(found.map((it) => it.span.source.path));
  const differences = [...compareWithCompiled({ sources: bundle.sources, compiled, told })];
  return [...found, ...differences].sort(byPlace);
}

/** Only the carved blocks are taken from the files: the topology leaves their choice to weft. */
function addressesOf({ links, before, clusters }: Expectation, network: RebuiltNetwork) {
  const blocks = new Map([...network].map(([name, it]) => [name, ownBlocks(it.blocks)]));
  return expectAddresses({ clusters: [...clusters.values()].map((it) => it.declared), links, blocks, before });
}

const ownBlocks = ({ external, internal }: RebuiltCluster['blocks']): OwnBlocks => ({
  external: networkIn(external),
  internal: networkIn(internal),
});

function networkIn(found: FoundText | undefined): Prefix | null {
  const reading = readPrefix(found?.text ?? '');
  return reading.ok ? reading.prefix : null;
}

/** One line is told once: what else breaks there follows from it. */
function toldOnce(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const told = new Set<string>();
  return diagnostics.filter(({ span }) => {
    const line = `${span.source.path}:${placeAt(span.source, span.start).line}`;
    return !told.has(line) && told.add(line);
  });
}

const byPlace = (a: Diagnostic, b: Diagnostic): number => {
  const [one, other] = [a.span.source.path, b.span.source.path];
  return one === other ? a.span.start - b.span.start : one < other ? -1 : 1;
};
