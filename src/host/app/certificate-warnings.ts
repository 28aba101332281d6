import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { endingCertificates } from '../../live/identities/ending-certificates.ts';
import type { ReadyTopology } from './compile-topology.ts';

/**
 * What only the time shows of a topology: certificates that end. No part of compiling, so that the same files always give the
 * same result.
 *
 * @param now milliseconds since 1970
 */
export const certificateWarnings = (
  { compiled: { model, inputs } }: Pick<ReadyTopology, 'compiled'>,
  now: number,
): readonly Diagnostic[] =>
  endingCertificates({ identities: inputs.identities, shares: model.shares, nowSeconds: Math.floor(now / 1000) });
