import { diagnosticsDocument } from '../../answers/report/diagnostics-document.ts';
import { driftDocument } from '../../answers/report/drift-answer.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { PageData } from '../page/page-data.ts';
import {
  type Answered,
  agingDiagnostics,
  compileTopology,
  type ReadyTopology,
  type TopologyRequest,
  type Unanswered,
} from './compile-topology.ts';
import { driftFleet } from './drift-fleet.ts';
import type { LiveRequest } from './live-sources.ts';
import type { PlannedPullRequest } from './plan-pull-request.ts';
import type { FileReader, LivePorts } from './ports.ts';
import { type Base, baselineSources, filesInBase, openBase } from './read-base.ts';
import { namedParts } from './what-if-fleet.ts';

interface ReportRequest extends TopologyRequest {
  /** The folder of the bundles, for the places of rules. */
  readonly out: string;
  /** The side before a change; `null` for no comparison. */
  readonly base: BaseForReaders | null;
  /** Clusters that are compared with the bundles; `undefined` for none. */
  readonly live: LiveRequest | undefined;
  /** Parts that are switched off when the page opens, as the user writes them. */
  readonly without?: readonly string[];
}

/** A base with its name for readers. */
interface BaseForReaders {
  readonly of: Base;
  readonly name: string;
}

interface ReportedFleet extends Answered<'reported'> {
  readonly data: Omit<PageData, 'weft'>;
  /** The reasons why live clusters were not compared in full. */
  readonly incomplete: readonly Diagnostic[];
  /** Assertions that do not hold; the page shows the fleet nevertheless. */
  readonly broken: readonly Diagnostic[];
}

type ReportPorts = LivePorts & { readonly now: () => number };

/** Collects what the page of a fleet computes everything from. Only what live clusters answer is computed here. */
export async function reportFleet(ports: ReportPorts, request: ReportRequest): Promise<Unanswered | ReportedFleet> {
  const { files } = ports;
  const { out, base, live, without = [] } = request;
  const topology = await compileTopology(files, request, { only: [], despiteVerdicts: true });
  if (topology.kind !== 'compiled') return topology;
  const parts = namedParts(topology.compiled.model, without);
  if (!parts.ok) return { kind: 'refused', refusal: parts.refusal };
  const compared = live && (await driftFleet(ports, { ...request, ...live }));
  if (compared !== undefined && compared.kind !== 'compared') return compared;
  const incomplete = compared?.incomplete ?? [];
  return {
    kind: 'reported',
    data: {
      sources: topology.sources,
      out,
      base: base && (await sourcesOfBase(files, base, topology)),
      drift: compared === undefined ? null : driftDocument(compared),
      ...(incomplete.length > 0 && { uncompared: diagnosticsDocument(incomplete).diagnostics }),
      ...(without.length > 0 && { without }),
    },
    incomplete,
    diagnostics: [...topology.diagnostics, ...agingDiagnostics(topology, ports.now())],
    broken: topology.verdicts.filter((it) => it.severity === 'error'),
  };
}

/**
 * Collects what the page of a planned pull request computes everything from: its sources, and those of its base, which
 * is a commit or a folder.
 */
export async function reportPullRequest(
  files: FileReader,
  { topology, out, base }: Pick<PlannedPullRequest, 'topology' | 'out' | 'base'>,
): Promise<ReportedFleet['data']> {
  const name = base.kind === 'ref' ? base.ref : base.kind === 'folder' ? base.folder : null;
  const before = name === null ? null : await sourcesOfBase(files, { of: base, name }, topology);
  return { sources: topology.sources, out, base: before, drift: null };
}

/** The sources of a base; `null` when its topology is missing or not text. */
async function sourcesOfBase(
  files: FileReader,
  { of, name }: BaseForReaders,
  topology: ReadyTopology,
): Promise<PageData['base']> {
  const reader = await openBase(files, of);
  const sources = await baselineSources(reader, await filesInBase(files, reader, topology));
  return sources === undefined ? null : { name, sources };
}
