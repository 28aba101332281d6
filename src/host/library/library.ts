import { factsOfModel, groupingLabel } from '../../answers/graph/fleet-facts.ts';
import { foldFleet, MOST_BOXES } from '../../answers/graph/fold-fleet.ts';
import { diagnosticsDocument } from '../../answers/report/diagnostics-document.ts';
import { graphAnswer } from '../../answers/report/graph-answer.ts';
import { plainPaint } from '../../answers/report/paint.ts';
import { planAnswer } from '../../answers/report/plan/plan-answer.ts';
import { portsAnswer } from '../../answers/report/ports/openings.ts';
import { verifyAnswer } from '../../answers/report/proven.ts';
import { traceAnswer } from '../../answers/report/trace.ts';
import { pairRow } from '../../answers/report/trace-document.ts';
import { narrowed, viewAnswer } from '../../answers/report/view.ts';
import { whatIfAnswer } from '../../answers/report/what-if.ts';
import { whoisAnswer } from '../../answers/report/whois.ts';
import { byCodeUnit, sortedUnique } from '../../base/core/collections.ts';
import { once } from '../../base/core/once.ts';
import { someOf } from '../../base/core/words.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { meantHint } from '../../base/diagnostics/did-you-mean.ts';
import { failure } from '../../base/diagnostics/outcome.ts';
import type { Source } from '../../base/source/source.ts';
import { type Compiled, compile as compileSources, type Sources } from '../../compile.ts';
import { clusterNamed } from '../../fleet/ipam/addressed-model.ts';
import { missingKeys } from '../../fleet/keys/missing-keys.ts';
import { parseLock } from '../../fleet/lock/lock.ts';
import { cannotInclude, includesOf, isFolder, isIncludedName } from '../../fleet/topology/includes-of.ts';
import { compareWithCompiled } from '../../proof/verify/compare-with-compiled.ts';
import { verifyBundle } from '../../proof/verify/verify-bundle.ts';
import { openingsBetween, openingsOf } from '../../reach/ports/openings.ts';
import { arrives } from '../../reach/trace/fates.ts';
import type { PairFate } from '../../reach/trace/pair-fates.ts';
import { trace as tracePacket } from '../../reach/trace/trace.ts';
import { traceAll as traceAllPairs } from '../../reach/trace/trace-all.ts';
import { readEnd } from '../../reach/trace/trace-request.ts';
import { areJoined, clusterView } from '../../reach/view/cluster-view.ts';
import { findParts, withAllKeys } from '../../reach/whatif/parts.ts';
import { singleFailures } from '../../reach/whatif/single-failures.ts';
import { whatIf as whatIfWithout } from '../../reach/whatif/what-if.ts';
import { readWhoisAddress, whois as whoisIn } from '../../reach/whois/whois.ts';
import type * as api from './liqo-weft.d.ts';
import { type CompiledSources, planBetween } from './plan-between.ts';

/** The values behind a fleet: the package returns documents alone. */
type Known = CompiledSources;

const KNOWN = new WeakMap<api.Fleet, Known>();

function knownOf(fleet: api.Fleet): Known {
  const known = KNOWN.get(fleet);
  if (known === undefined) throw new TypeError('this is no fleet: pass the `fleet` of what `compile` returns');
  return known;
}

/** A document as data of the caller's own, in the form that `-o json` prints. */
const documentOf = <Document>(known: Pick<Known, 'diagnostics'>, answer: object): Document =>
  JSON.parse(JSON.stringify({ ...diagnosticsDocument(known.diagnostics), ...answer }));

/** The document of a question without an answer. */
const failureOf = <Document>(message: string, hint: string | null): Document =>
  documentOf({ diagnostics: [] }, { ok: false, failure: { message, hint } });

export const compile: typeof api.compile = ({ topology, keys, identities, lock, included = {} }) => {
  const main = namedText(topology, 'topology.yaml');
  const { files, missing } = includedFiles(main, included);
  const sources: Sources = {
    topology: main,
    included: files,
    keys: keys === undefined ? undefined : namedText(keys, 'topology.keys.yaml'),
    identities: identities === undefined ? undefined : namedText(identities, 'topology.identities.yaml'),
    lock: lock === undefined ? undefined : namedText(lock, LOCK),
  };
  const compiled = missing.length > 0 ? failure<Compiled>(missing) : compileSources(sources, ALL);
  const { diagnostics } = compiled;
  const fleet = compiled.ok ? handleOf({ sources, compiled: compiled.value, diagnostics }) : null;
  return { ...documentOf(compiled, {}), ok: compiled.ok, fleet } as api.Compilation;
};

const ALL = { relock: [], only: null } as const;
const LOCK = 'topology.lock.yaml';

const namedText = (given: api.Text, path: string): Source =>
  typeof given === 'string' ? { path, text: given } : given;

/** The files of the entries of `include`, in order; those of a folder in order of their names. */
function includedFiles(topology: Source, included: Readonly<Record<string, string>>) {
  const names = Object.keys(included).sort(byCodeUnit);
  const folder = topology.path.slice(0, topology.path.lastIndexOf('/') + 1);
  const files: Source[] = [];
  const missing: Diagnostic[] = [];
  for (const { value, at } of includesOf(topology)) {
    const found = isFolder(value)
      ? names.filter((it) => it.startsWith(value) && isIncludedName(it) && !it.slice(value.length).includes('/'))
      : names.filter((it) => it === value);
    if (found.length === 0) missing.push(cannotInclude(at, `there is no file ${folder}${value}`));
    for (const it of found) files.push({ path: `${folder}${it}`, text: included[it] ?? '' });
  }
  return { files, missing };
}

function handleOf(known: Known): api.Fleet {
  const { model, bundle } = known.compiled;
  const files = once(() => new Map(bundle));
  const fleet: api.Fleet = {
    name: model.fleet.name,
    clusters: [...model.clusters.keys()],
    get files() {
      return files();
    },
    get lock() {
      return known.compiled.lock;
    },
  };
  KNOWN.set(fleet, known);
  return fleet;
}

export const trace: typeof api.trace = (
  fleet,
  { from, to, fromNode = false, fromNamespace = null, toNamespace = null, through },
) => {
  const known = knownOf(fleet);
  const { model } = known.compiled;
  const [sender, receiver] = [readEnd(from), readEnd(to)];
  if (!sender.ok) return failureOf(sender.problem, ENDS);
  if (!receiver.ok) return failureOf(receiver.problem, ENDS);
  if (sender.end.kind === 'address')
    return failureOf('the sender needs a cluster: each cluster sees other addresses', 'write cluster/address');
  const clusters = [sender.end, receiver.end].flatMap((it) => (it.kind === 'cluster' ? [it.cluster] : []));
  if (through !== undefined && clusters.includes(through))
    return failureOf(`\`through\` must not be an end of the path: "${through}"`, null);
  const unknown = unknownName(known, ...clusters, through);
  if (unknown !== undefined) return failureOf(...unknown);
  const namespaces = { fromNamespace, toNamespace };
  const packet = {
    from: sender.end,
    to: receiver.end,
    fromNode,
    ...namespaces,
    ...(through === undefined ? {} : { through }),
  };
  const traced = tracePacket(model, packet);
  const answer = traceAnswer.json({ model, trace: traced, look: null, out: null }, {});
  return documentOf(known, { ok: arrives(traced.fate), ...answer });
};

const ENDS = 'write a cluster, cluster/address, or for `to` an address as `from` sees it, each optionally with :port';

/** The words about the first of these names that no cluster has. */
function unknownName(
  { compiled: { model } }: Known,
  ...names: readonly (string | undefined)[]
): readonly [message: string, hint: string] | undefined {
  const name = names.find((it) => it !== undefined && !model.clusters.has(it));
  if (name === undefined) return undefined;
  const clusters = [...model.clusters.keys()];
  return [
    `the topology has no cluster "${name}"`,
    meantHint(name, clusters) ?? `choose one of ${someOf(clusters, NAMES_SHOWN)}`,
  ];
}

const NAMES_SHOWN = 10;

export const traceAll: typeof api.traceAll = (fleet) => {
  const known = knownOf(fleet);
  const pairs = Array.from(traceAllPairs(known.compiled.model).pairs, ownPair);
  return { ...documentOf<api.TraceDocument>(known, { ok: pairs.every((it) => it.fate === 'delivered') }), pairs };
};

/** A copy of a row; a fleet of 1,000 clusters has a million, and a text with all of them takes seconds. */
function ownPair(pair: PairFate) {
  const { from, to, fate, keyless, route } = pairRow(pair);
  const { hubs, ...way } = route;
  return {
    from,
    to,
    fate,
    keyless: keyless.map((it) => ({ ...it })),
    route: { ...way, ...(hubs && { hubs: [...hubs] }) },
  };
}

export const view: typeof api.view = (fleet, cluster, peer) => {
  const known = knownOf(fleet);
  const { model } = known.compiled;
  const unknown = unknownName(known, cluster, peer);
  if (unknown !== undefined) return failureOf(...unknown);
  if (cluster === peer) return failureOf(`a cluster has no view of itself: "${cluster}" is given twice`, null);
  const viewOf = (name: string) => clusterView(model, clusterNamed(model, name));
  const [own, others] = [viewOf(cluster), peer === undefined ? null : viewOf(peer)];
  const joined = peer === undefined || areJoined(own, peer);
  const views = others === null ? [own] : narrowed(own, others);
  const viewed = { view: own, peerView: others, views, joined, recreated: null, runbooks: null, look: null };
  return documentOf(known, { ok: joined, ...viewAnswer.json(viewed, {}) });
};

export const whois: typeof api.whois = (fleet, address, cluster) => {
  const known = knownOf(fleet);
  const { model } = known.compiled;
  const read = readWhoisAddress(address);
  if (!read.ok) return failureOf(read.problem, read.hint);
  const unknown = unknownName(known, cluster);
  if (unknown !== undefined) return failureOf(...unknown);
  const found = whoisIn(model, read.address, cluster === undefined ? null : clusterNamed(model, cluster));
  const ok = found.gateways.length > 0 || found.answers.some((it) => it.uses.length > 0);
  return documentOf(known, { ok, ...whoisAnswer.json({ whois: found, look: null }, {}) });
};

export const ports: typeof api.ports = (fleet, ...names) => {
  const known = knownOf(fleet);
  const clusters = names.filter((it) => it !== undefined);
  const unknown = unknownName(known, ...clusters);
  if (unknown !== undefined) return failureOf(...unknown);
  const { model, inputs } = known.compiled;
  const all = openingsOf(model, { sources: new Map(), decisions: inputs.decisions });
  const listed = { fleet: fleet.name, openings: openingsBetween(all, clusters), clusters };
  return documentOf(known, portsAnswer.json(listed, {}));
};

export const plan: typeof api.plan = (before, after) => {
  const is = knownOf(after);
  const planned = planBetween(before === null ? null : knownOf(before).compiled, is);
  return documentOf(is, planAnswer.json({ plan: planned, model: is.compiled.model, live: null }, {}));
};

export const whatIf: typeof api.whatIf = (fleet, ...without) => {
  const known = knownOf(fleet);
  const { inputs } = known.compiled;
  const model = withAllKeys(known.compiled.model);
  const reading = findParts(model, without);
  if (!reading.ok) return failureOf(reading.problem, reading.hint);
  const { declaration } = inputs;
  const answer =
    reading.parts.length === 0
      ? whatIfAnswer.json({ asked: 'each', found: singleFailures(model, declaration) }, {})
      : whatIfAnswer.json({ asked: 'some', found: whatIfWithout(model, reading.parts, declaration) }, {});
  return documentOf(known, answer);
};

export const verify: typeof api.verify = (fleet, { files, lock }) => {
  const known = knownOf(fleet);
  const { compiled } = known;
  const { model, bundle, inputs } = compiled;
  const source = lock === undefined ? undefined : namedText(lock, LOCK);
  const differs = source === undefined ? [] : faultsOfLock(source, compiled.lock);
  const read = source === undefined || differs.length > 0 ? undefined : parseLock(source);
  const found = verifyBundle({
    files,
    root: OUT,
    sources: inputs,
    lock: read?.ok ? read.value : undefined,
    compiled: bundle,
  });
  const diagnostics = [...differs, ...found];
  const keyless = missingKeys(model, null).map(({ cluster, peer }) => ({ cluster, peer }));
  const counts = { files: files.size, clusters: model.clusters.size, links: model.links.length, keyless };
  return documentOf({ diagnostics }, verifyAnswer.json({ out: OUT, diagnostics, counts }, {}));
};

const OUT = 'out';

const faultsOfLock = (source: Source, lock: string): readonly Diagnostic[] => [
  ...compareWithCompiled({
    sources: new Map([[source.path, source]]),
    compiled: new Map([[source.path, lock]]),
    reported: new Set(),
    keyed: true,
  }),
];

export const graph: typeof api.graph = async (fleet, format = 'mermaid') => {
  const { model } = knownOf(fleet).compiled;
  const labels = sortedUnique([...model.clusters.values()].flatMap((it) => Object.keys(it.labels)));
  const facts = factsOfModel(model, groupingLabel(labels));
  const drawn = foldFleet(facts, { title: fleet.name, most: MOST_BOXES });
  return graphAnswer[format]({ graph: drawn }, { paint: plainPaint, verbose: false, quiet: false });
};
