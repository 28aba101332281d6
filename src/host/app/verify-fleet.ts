import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { type GatewayName, missingKeys } from '../../fleet/keys/missing-keys.ts';

import { compareWithCompiled } from '../../proof/verify/compare-with-compiled.ts';
import {
  type Answered,
  compileTopology,
  type ReadyTopology,
  type TopologyRequest,
  type Unanswered,
} from './compile-topology.ts';
import type { FileReader } from './ports.ts';
import { entryPointsElsewhere } from './refuse-out.ts';
import { verifyOut } from './verify-out.ts';

interface VerifyRequest extends TopologyRequest {
  /** The folder of the bundles. */
  readonly out: string;
}

interface VerifiedBundles extends Answered<'verified'> {
  /** Broken promises, without the warnings about the topology itself. */
  readonly diagnostics: readonly Diagnostic[];
  /** The number of verified items. */
  readonly counts: {
    readonly files: number;
    readonly clusters: number;
    readonly links: number;
    /** Gateways without a public key, whose links carry no traffic. */
    readonly keyless: readonly GatewayName[];
  };
}

/** Reads the emitted files back independently and proves their promises. Writes nothing. */
export async function verifyFleet(files: FileReader, request: VerifyRequest): Promise<Unanswered | VerifiedBundles> {
  const { out } = request;
  const topology = await compileTopology(files, request, { only: null });
  if (topology.kind !== 'compiled') return topology;
  const refusal = entryPointsElsewhere(files, topology, out);
  if (refusal !== undefined) return { kind: 'refused', refusal };
  const verified = await verifyOut(files, topology.compiled, out);
  switch (verified.kind) {
    case 'missing':
      return { kind: 'refused', refusal: { kind: 'no-bundles', out } };
    case 'not-a-folder':
      return { kind: 'refused', refusal: { kind: 'bundles-not-a-folder', out } };
    case 'verified': {
      const { model } = topology.compiled;
      return {
        kind: 'verified',
        diagnostics: [...lockDifference(topology), ...verified.diagnostics],
        counts: {
          files: verified.files,
          clusters: model.clusters.size,
          links: model.links.length,
          keyless: missingKeys(model, null).map(({ cluster, peer }) => ({ cluster, peer })),
        },
      };
    }
  }
}

/**
 * Reports a lock that is not current, because the bundle is compared with the decisions of the topology and its lock.
 */
function lockDifference({ files, sources, compiled }: ReadyTopology): readonly Diagnostic[] {
  const path = files.lock;
  const source = sources.lock ?? { path, text: '' };
  const [sourcesByPath, texts] = [new Map([[path, source]]), new Map([[path, compiled.lock]])];
  return [...compareWithCompiled({ sources: sourcesByPath, compiled: texts, reported: new Set() })];
}
