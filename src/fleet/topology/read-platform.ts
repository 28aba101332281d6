import { diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { meantHint } from '../../base/diagnostics/did-you-mean.ts';
import { isPlatform, PLATFORM_NAMES, type Platform } from '../../base/releases/platforms.ts';
import type { Located } from '../../base/source/located.ts';
import { quotedPiece } from '../../base/source/quoted-piece.ts';
import type { Report } from './report.ts';

/** Names that people write for several platforms on which Liqo behaves differently. */
const CHOICES: Readonly<Record<string, string>> = {
  aks: 'write "aks-overlay" or "aks-kubenet", whose pods have a network of their own, or "aks-cni", whose pods are in the subnet of the nodes: `az aks show` prints the plugin and its mode',
  gke: 'write "gke-v2" for a cluster with Dataplane V2, else "gke-v1": `gcloud container clusters describe` prints `datapathProvider`',
};

/** A platform from its text; `null` where there is none, and after reporting one that weft does not know. */
export function readPlatform(
  text: Located<string> | undefined,
  what: string,
  report: Report,
): Located<Platform> | null {
  if (!text) return null;
  const { value, at } = text;
  if (isPlatform(value)) return { value, at };
  if (value === 'gke-autopilot') {
    const message = `${what} is GKE Autopilot, whose nodes do not run the pods that Liqo needs on every node`;
    report(diagnostic('topology/platform-not-supported', at, message, { hint: 'use a Standard cluster of GKE' }));
    return null;
  }
  const hint =
    CHOICES[value] ?? meantHint(value, PLATFORM_NAMES) ?? `write one of ${PLATFORM_NAMES.join(', ')}, or leave it out`;
  report(diagnostic('topology/unknown-platform', at, `${what} is not known: ${quotedPiece(value)}`, { hint }));
  return null;
}
