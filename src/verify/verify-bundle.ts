import type { Diagnostic } from '../diagnostics/diagnostic.ts';
import { placeAt } from '../source/source.ts';
import { compareWithCompiled } from './compare-with-compiled.ts';
import type { Expectation } from './expectation.ts';
import { readBundle } from './read-bundle.ts';
import { rebuildNetwork } from './rebuild-network.ts';
import { addressesFileAgrees } from './rules/addresses-file-agrees.ts';
import { addressesMeanOneThing } from './rules/addresses-mean-one-thing.ts';
import { announcementsAgree } from './rules/announcements-agree.ts';
import { connectionsFitGateways } from './rules/connections-fit-gateways.ts';
import { filesAreAskedFor } from './rules/files-are-asked-for.ts';
import { gatewaysAgree } from './rules/gateways-agree.ts';
import { keysAgree } from './rules/keys-agree.ts';
import { kustomizationsListWhatIsThere } from './rules/kustomizations-list-what-is-there.ts';
import { objectsAreAskedFor } from './rules/objects-are-asked-for.ts';
import { objectsAreFoundByLiqo } from './rules/objects-are-found-by-liqo.ts';
import { ownAddressesAgree } from './rules/own-addresses-agree.ts';
import { pairsDeliverAndReturn } from './rules/pairs-deliver-and-return.ts';
import type { Rule } from './rules/rule.ts';
import { rulesCarryOutViews } from './rules/rules-carry-out-views.ts';
import { shortcutsAgree } from './rules/shortcuts-agree.ts';
import { viewsAgree } from './rules/views-agree.ts';
import { wavesFollowTheOrder } from './rules/waves-follow-the-order.ts';

/** In this order: of two promises that break on one line, the first one is told. */
const RULES: readonly Rule[] = [
  filesAreAskedFor,
  objectsAreAskedFor,
  objectsAreFoundByLiqo,
  gatewaysAgree,
  keysAgree,
  ownAddressesAgree,
  announcementsAgree,
  addressesMeanOneThing,
  viewsAgree,
  rulesCarryOutViews,
  pairsDeliverAndReturn,
  addressesFileAgrees,
  connectionsFitGateways,
  shortcutsAgree,
  kustomizationsListWhatIsThere,
  wavesFollowTheOrder,
];

export interface VerifyRequest {
  /** The files below `out/`, by path. */
  readonly files: ReadonlyMap<string, string>;
  /** `out`, as the user typed it. */
  readonly root: string;
  readonly expected: Expectation;
  /** What the topology compiles to. */
  readonly compiled: ReadonlyMap<string, string>;
}

/** Every promise of the bundle that its files break, by file and line. None: they keep all of them. */
export function verifyBundle({ files, root, expected, compiled }: VerifyRequest): readonly Diagnostic[] {
  const bundle = readBundle(files, root);
  const evidence = { expected, bundle, network: rebuildNetwork(bundle, expected) };
  const found = toldOnce([...bundle.problems, ...RULES.flatMap((rule) => [...rule(evidence)])]);
  const told = new Set(found.map((it) => it.span.source.path));
  const differences = [...compareWithCompiled({ sources: bundle.sources, compiled, told })];
  return [...found, ...differences].sort(byPlace);
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
