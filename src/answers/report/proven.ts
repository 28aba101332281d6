import { visibleText } from '../../base/core/visible-text.ts';
import { countOf } from '../../base/core/words.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { SharedModel } from '../../fleet/sharing/shared-model.ts';
import { type Answer, forTools, unlessQuiet } from './answer.ts';
import { countDiagnostics } from './diagnostics-document.ts';

interface Valid {
  readonly topology: string;
  readonly model: SharedModel;
}

/** `weft validate`: only diagnostics, and a line for a topology without errors. */
export const validateAnswer: Answer<'validate', Valid> = {
  text: unlessQuiet(({ topology, model: { clusters, links, shares } }, { paint }) => {
    const counts = [
      countOf(clusters.size, 'cluster'),
      countOf(links.length, 'link'),
      ...(shares.length === 0 ? [] : [countOf(shares.length, 'loan')]),
    ];
    return `${visibleText(topology)} is ${paint.good('valid')}: ${counts.join(', ')}\n`;
  }),
  json: () => ({}),
  ...forTools(),
};

interface Verified {
  /** The folder of the bundles. */
  readonly out: string;
  /** Broken promises. */
  readonly diagnostics: readonly Diagnostic[];
  /** The numbers of checked files, clusters and links. */
  readonly counts: {
    readonly files: number;
    readonly clusters: number;
    readonly links: number;
    /** Gateways without a public key. */
    readonly keyless: readonly object[];
  };
}

/** `weft verify`: broken promises, or a line for correct files. */
export const verifyAnswer: Answer<'verify', Verified> = {
  text: unlessQuiet(({ out, diagnostics, counts }, { paint }) => {
    if (countDiagnostics(diagnostics).errors > 0) return '';
    const looked = `${countOf(counts.files, 'file')}, ${countOf(counts.clusters, 'cluster')}, ${countOf(counts.links, 'link')}`;
    return `${visibleText(out)}/ ${paint.good('keeps')} its promises: ${looked}${keylessText(counts)}\n`;
  }),
  json: ({ out, counts }) => ({ verified: { out, ...counts } }),
  ...forTools(),
};

/** Files can be correct although packets do not pass. */
function keylessText({ keyless: { length: keyless } }: Verified['counts']): string {
  if (keyless === 0) return '';
  const have = keyless === 1 ? 'has' : 'have';
  return `; ${countOf(keyless, 'gateway')} ${have} no public key, so ${keyless === 1 ? 'its link carries' : 'their links carry'} nothing`;
}
