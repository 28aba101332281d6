import { driftDocument } from '../../answers/report/drift-answer.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { PageData } from '../page/page-data.ts';
import {
  type Answered,
  certificateWarnings,
  compileTopology,
  type TopologyRequest,
  type Unanswered,
} from './compile-topology.ts';
import { driftFleet } from './drift-fleet.ts';
import type { LiveRequest } from './live-sources.ts';
import type { LivePorts } from './ports.ts';
import { type Base, baselineSources, filesInBase, openBase } from './read-base.ts';

interface ReportRequest extends TopologyRequest {
  /** The folder of the bundles, for the places of rules. */
  readonly out: string;
  /** The side before a change, and its name for readers; `null` for no comparison. */
  readonly base: { readonly of: Base; readonly name: string } | null;
  /** Clusters that are compared with the bundles; `undefined` for none. */
  readonly live: LiveRequest | undefined;
}

interface ReportedFleet extends Answered<'reported'> {
  readonly data: Omit<PageData, 'weft'>;
  /** Assertions that do not hold; the page shows the fleet nevertheless. */
  readonly broken: readonly Diagnostic[];
}

type ReportPorts = LivePorts & { readonly now: () => number };

/** Collects what the page of a fleet computes everything from. Only what live clusters answer is computed here. */
export async function reportFleet(ports: ReportPorts, request: ReportRequest): Promise<Unanswered | ReportedFleet> {
  const { files } = ports;
  const { out, base, live } = request;
  const topology = await compileTopology(files, request, { only: [], despiteVerdicts: true });
  if (topology.kind !== 'compiled') return topology;
  const compared = live && (await driftFleet(ports, { ...request, ...live }));
  if (compared !== undefined && compared.kind !== 'compared') return compared;
  const reader = base && (await openBase(files, base.of));
  const before = reader && (await baselineSources(reader, await filesInBase(files, reader, topology)));
  return {
    kind: 'reported',
    data: {
      sources: topology.sources,
      out,
      base: base && before ? { name: base.name, sources: before } : null,
      drift: compared === undefined ? null : driftDocument(compared),
    },
    diagnostics: [
      ...(compared?.incomplete ?? []),
      ...topology.diagnostics,
      ...certificateWarnings(topology, ports.now()),
    ],
    broken: topology.verdicts.filter((it) => it.severity === 'error'),
  };
}
