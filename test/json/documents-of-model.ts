import { conformanceDocument } from '../../src/answers/report/conformance/conformance-answer.ts';
import { labDocument, labStepsAnswer } from '../../src/answers/report/lab.ts';
import { openingsDocument } from '../../src/answers/report/ports/openings.ts';
import { runbookDocument } from '../../src/answers/report/print-runbook.ts';
import { serviceTraceDocument } from '../../src/answers/report/service-trace.ts';
import { pairRow, traceDocument } from '../../src/answers/report/trace-document.ts';
import { translationDocument } from '../../src/answers/report/translation.ts';
import { whoisDocument } from '../../src/answers/report/whois.ts';
import { moveHost } from '../../src/base/net/prefix.ts';
import { printAddress, readAddress } from '../../src/base/net/text.ts';
import { startOf } from '../../src/base/source/source.ts';
import type { Compiled } from '../../src/compile.ts';
import { runbooksFor } from '../../src/host/app/view-cluster.ts';
import { problem } from '../../src/live/drift/drift.ts';
import { judgeProbes, type LabPlan } from '../../src/reach/lab/lab-plan.ts';
import { labScope } from '../../src/reach/lab/lab-scope.ts';
import { planLab } from '../../src/reach/lab/plan-lab.ts';
import { openingsOf } from '../../src/reach/ports/openings.ts';
import { judgeAnswers, observeAssertions } from '../../src/reach/probes/judge-answers.ts';
import { type Prober, planProbes } from '../../src/reach/probes/plan-probes.ts';
import { endpointPaths } from '../../src/reach/services/endpoint-paths.ts';
import { representativePod } from '../../src/reach/trace/address.ts';
import { pairFatesOf } from '../../src/reach/trace/pair-fates.ts';
import { trace } from '../../src/reach/trace/trace.ts';
import { traceAll } from '../../src/reach/trace/trace-all.ts';
import type { IpMapping } from '../../src/reach/trace/trace-request.ts';
import { parseInput } from '../../src/reach/translate/parse-input.ts';
import { translateEndpoints } from '../../src/reach/translate/translate-endpoints.ts';
import { WAYS } from '../../src/reach/translate/translation.ts';
import { reflectionOf } from '../../src/reach/translate/ways.ts';
import { clusterView } from '../../src/reach/view/cluster-view.ts';
import { forecast } from '../../src/reach/view/forecast.ts';
import { listClusters } from '../../src/reach/view/lists.ts';
import { whois } from '../../src/reach/whois/whois.ts';
import { sliceOf } from '../reach/translate/fixtures.ts';

/** The document of a command without the keys at the start of every document. */
export interface Answer {
  readonly command: string;
  readonly answer: object;
}

/** So many clusters of a fleet are asked about each other. */
const ASKED = 3;

/** The documents of read-only commands about a fleet, with every possible answer for its size. */
export function answersAbout({ model, inputs }: Compiled): readonly Answer[] {
  const all = [...model.clusters.values()];
  const some = all.slice(0, ASKED);
  const pairs = some.flatMap((a) => some.flatMap((b) => (a === b ? [] : [[a, b] as const])));
  const addresses = some.flatMap((it) => [
    representativePod(it),
    it.externalCIDR.base,
    it.externalCIDR.base + 9,
    ...[...it.peers.values()].slice(0, 2).flatMap((peer) => peer.podViews.map((view) => view.seenAs.base + 10)),
    ...it.reserved.map((reserved) => reserved.value.base + 1),
    ...[it.gateway.dial.address?.value, it.gateway.loadBalancerIP].flatMap(addressOf),
  ]);
  addresses.push(...addressOf('169.254.18.1'));
  const fates = pairFatesOf(model);
  return [
    { command: 'view', answer: { clusters: listClusters(model) } },
    { command: 'view', answer: { forecast: forecast(model) } },
    { command: 'view', answer: { views: all.map((it) => clusterView(model, it)) } },
    { command: 'trace', answer: { pairs: [...traceAll(model).pairs].slice(0, 500).map(pairRow) } },
    {
      command: 'ports',
      answer: openingsDocument(openingsOf(model, { sources: new Map(), decisions: inputs.decisions })),
    },
    ...[true, false].map((isRead): Answer => {
      const conformance = conformanceAnswer(model, inputs.declaration, isRead);
      return { command: 'conformance', answer: { conformance } };
    }),
    { command: 'lab', answer: { kept: null, ...labAnswer(planLab(labScope(model, []))) } },
    { command: 'lab', answer: stepsAnswer(planLab(labScope(model, []))) },
    ...pairs.flatMap(([from, to]): readonly Answer[] => [
      {
        command: 'view',
        answer: {
          views: [],
          runbooks: runbooksFor(from.name, to.name, { model, git: null, looked: [] }).map(runbookDocument),
        },
      },
      ...[false, true].map((fromNode): Answer => {
        const end = { kind: 'cluster', address: null } as const;
        const request = { from: { ...end, cluster: from.name }, to: { ...end, cluster: to.name }, fromNode };
        return { command: 'trace', answer: { trace: traceDocument(model, trace(model, request)) } };
      }),
      ...translations(model, from, to),
    ]),
    ...some.flatMap((from) =>
      addresses.map((address): Answer => {
        const to = { kind: 'address', address } as const;
        const found = trace(model, { from: { cluster: from.name, address: null }, to });
        return { command: 'trace', answer: { trace: traceDocument(model, found) } };
      }),
    ),
    ...addresses.flatMap((address) =>
      [null, ...some].map(
        (within): Answer => ({
          command: 'whois',
          answer: { whois: whoisDocument(whois(model, address, within)) },
        }),
      ),
    ),
    ...model.offloadings.map((it): Answer => {
      const services = all.map((from) => {
        const paths = endpointPaths(model, it, from, fates) ?? null;
        return serviceTraceDocument(model, {
          service: `${it.namespace}/web`,
          of: it.cluster.name,
          from: from.name,
          paths,
        });
      });
      return { command: 'trace', answer: { services } };
    }),
  ];
}

/** None for a DNS name. */
function addressOf(text: string | null | undefined): readonly number[] {
  const address = text ? readAddress(text) : undefined;
  return address === undefined ? [] : [address];
}

type Cluster = Parameters<typeof representativePod>[0];

function translations(model: Compiled['model'], hub: Cluster, receiver: Cluster): readonly Answer[] {
  const reflection = reflectionOf(model, { hub, receiver });
  if (reflection === undefined) return [];
  const seen = [...hub.peers.values()].flatMap((it) => it.podViews.map((view) => view.seenAs.base + 7));
  const addresses = [representativePod(hub), ...seen.slice(0, ASKED)].map(printAddress);
  return [addresses.join(' '), sliceOf('web', ...addresses.map((it) => [it]))].flatMap((text) => {
    const input = parseInput({ path: 'stdin', text });
    const outcome = input.ok ? translateEndpoints(reflection, input.value) : undefined;
    if (!outcome?.ok) return [];
    return [{ command: 'translate', answer: { translation: translationDocument(outcome.value, WAYS) } }];
  });
}

/** The report of a lab of such a plan: the first probes are answered correctly, one wrongly, the others are lost. */
function labAnswer(plan: LabPlan): object {
  const observations = plan.probes.slice(0, ASKED).map(({ id, flow }, i) => {
    const seen = i === 0 ? { source: flow.source, destination: flow.source } : flow.expected;
    return [id, { kind: 'answered', by: flow.to, seen, milliseconds: 0.4 }] as const;
  });
  return labDocument({ plan, verdicts: judgeProbes(plan, new Map(observations)), silent: ['rome/milan'] });
}

/** The report of a change in one state: no loss, a bound, a loss without a bound, and more than announced. */
function stepsAnswer({ probes }: LabPlan): object {
  const flows = probes.slice(0, ASKED).map(({ flow }, i) => ({
    ...{ flow, packets: 0.05 * i, connection: 0.1 * i, newConnections: 0.01 * i, waiting: i, isCut: i % 2 === 1 },
    announced: i === 0 ? null : { seconds: i === 1 ? 6 : null, restarts: i === 1 },
    ...{ allowedSeconds: i === 1 ? 9.5 : null, agrees: i !== 1 },
  }));
  const step = { name: '1-add', flows, latenessSeconds: 0.2, isSettled: true };
  return labStepsAnswer.json({ steps: [step], added: { podStartSeconds: 2, betweenClustersSeconds: 1 } }, {});
}

type Declared = Parameters<typeof observeAssertions>[1];

/** The report of probes of which each has another answer than the one before it. Hubs that are read map every second prober. */
function conformanceAnswer(model: Compiled['model'], declared: Declared, isRead: boolean): object {
  const active = [...model.clusters.values()].filter((it) => !it.retired).slice(0, 2 * ASKED);
  const probers = active.map((it) => ({ cluster: it.name, pod: `prober-${it.name}`, address: representativePod(it) }));
  const mapped = probers.filter((_, i) => i % 2 === 0);
  const mappings = new Map(isRead ? active.map((it) => [it.name, mappingsOf(it, mapped)]) : []);
  // They have the Services that they must have, with another endpoint.
  const service = { address: readAddress('10.96.7.7') ?? 0, endpoints: [readAddress('10.9.9.9') ?? 0] };
  const services = new Map(
    model.offloadings.flatMap(({ remoteName: namespace, providers }) =>
      isRead ? providers.map((it) => [it.name, [{ ...service, namespace }]] as const) : [],
    ),
  );
  const plan = planProbes(model, { probers, mappings, services, isWanted: () => true });
  const answers = plan.probes.map(({ id, to, predicted }) => {
    const source = predicted.kind === 'delivered' ? predicted.source : null;
    const good = { host: `prober-${to}`, source, full: { tcp: true, udp: true }, pathMtu: null };
    const others = [
      {},
      { host: null },
      { host: 'printer' },
      { host: probers.find((it) => it.cluster !== to)?.pod ?? null },
      { source: null },
      { source: 1 },
      { full: { tcp: false, udp: false } },
      { pathMtu: 600 },
    ];
    return [id, { ...good, ...others[id % others.length] }] as const;
  });
  const judged = judgeAnswers(plan.probes, new Map(answers), probers);
  const span = startOf({ path: 'out/rome/peers/milan/milan.yaml', text: '' });
  const causes = [
    {
      cluster: 'rome',
      problem: problem('drift/key', { peer: 'milan', at: span, message: 'other', hint: 'look', findings: [] }),
    },
    {
      cluster: 'rome',
      problem: problem('drift/own-network', { peer: null, at: span, message: 'other', findings: [] }),
    },
    null,
  ];
  return conformanceDocument({
    fleet: model.fleet.name,
    probes: judged.map((it, index) => ({ ...it, cause: causes[index % causes.length] ?? null })),
    objects: { kind: 'compared', clusters: active.map((it) => it.name) },
    undialled: plan.undialled,
    assertions: observeAssertions(model, declared, { ...plan, judged }),
    probers,
    withoutProber: [],
    others: ['elsewhere'],
    pairs: { wanted: 6, dialled: 6 },
  });
}

/** The IP resources of a hub for those of these probers to which it has a link. */
const mappingsOf = (hub: Cluster, probers: readonly Prober[]): readonly IpMapping[] =>
  probers.flatMap(({ cluster, address }, i) => {
    const view = hub.peers.get(cluster)?.podViews[0];
    if (view === undefined) return [];
    return [{ cluster: hub.name, external: hub.externalCIDR.base + i + 1, real: moveHost(address, view.seenAs) }];
  });
