import { visibleFields } from '../../base/core/visible-text.ts';
import { countOf, firstOf, listOf } from '../../base/core/words.ts';
import type { StepCommand } from '../../plan/step-command.ts';
import { printLines } from './layout.ts';
import { commandLines, USUAL_NAMES } from './live-commands.ts';
import type { Paint } from './paint.ts';
import { type Delivered, deliveredTo } from './print-generated-keys.ts';
import { recordedLines } from './recorded-file.ts';

interface RotatedKeys {
  readonly files: { readonly keys: string };
  readonly links: readonly string[];
  /** Links that have next keys already. */
  readonly prepared: readonly string[];
  /** The oldest of the keys; `null` when that is not known. */
  readonly oldest: string | null;
  readonly counts: { readonly gateways: number; readonly clusters: number };
  readonly byLiqo: boolean;
  readonly former: readonly FormerSecret[];
  /** `null` when no Secret was made. */
  readonly delivered: Delivered | null;
}

interface FormerSecret {
  readonly cluster: string;
  readonly namespace: string;
  readonly secret: string;
  readonly gateway: string;
}

interface RotationCall {
  readonly toNext: boolean;
  readonly check: boolean;
}

/** The number of links that are named. */
const SHOWN = 6;

/** `weft keys rotate`: the links, what was made or is to be done, and the result for the file. */
export function printRotatedKeys(rotated: RotatedKeys & RotationCall, paint: Paint): string {
  const { files, links, prepared, oldest, byLiqo, former, toNext, check } = visibleFields(rotated);
  const changes = links.length > 0;
  const age = oldest === null ? 'one key is of unknown age' : `the oldest key is of ${oldest}`;
  const which = `${countOf(links.length, 'link')}, ${firstOf(links, SHOWN)} (${age})`;
  const waiting =
    prepared.length === 0
      ? []
      : [
          `${countOf(prepared.length, 'link')} ${prepared.length === 1 ? 'has' : 'have'} next keys already: ${firstOf(prepared, SHOWN)}.`,
          `Once their Secrets are in the clusters: "weft keys rotate --switch". To make lost ones again, remove \`next\` from ${files.keys}.`,
        ];
  if (!changes) return printLines(['No key is to be replaced.', ...waiting]);
  if (check)
    return printLines([
      `${toNext ? 'The next keys would replace those of' : 'To be replaced: the keys of'} ${which}`,
      ...waiting,
    ]);
  if (byLiqo) return printLines([`Liqo makes the keys of ${which}`, ...renewalOf(former)]);
  if (toNext) {
    const secrets = firstOf(
      former.map((it) => `${it.secret} in ${it.namespace} in ${it.cluster}`),
      SHOWN,
    );
    return printLines([
      `The next keys replace those of ${which}`,
      ...recordedLines({ file: files.keys, changes, check, whole: 'each of them', problems: [] }, paint),
      'Then "weft plan", which lists the steps of both ends and their order.',
      `Secrets that are no longer used then: ${secrets}`,
    ]);
  }
  return printLines([
    `The next keys of ${which}`,
    ...waiting,
    ...deliveredLines(rotated),
    ...recordedLines({ file: files.keys, changes, check, whole: 'every next key', problems: [] }, paint),
  ]);
}

function deliveredLines({ delivered, counts }: RotatedKeys): readonly string[] {
  if (delivered === null) return [];
  return [
    `${countOf(counts.gateways, 'Secret')} for ${countOf(counts.clusters, 'cluster')} ${deliveredTo(delivered)}`,
    'Apply each Secret in the cluster named above it: they have no labels, so that no gateway uses them yet.',
    'When all are there and this change is merged: "weft keys rotate --switch".',
  ];
}

/** The way to another key of Liqo, which makes one when a Secret is missing and it looks at the gateway. */
function renewalOf(former: readonly FormerSecret[]): readonly string[] {
  const commands = former.flatMap(({ cluster, namespace, secret, gateway }): readonly StepCommand[] => [
    { run: 'delete-secret', cluster, namespace, secret },
    { run: 'touch', cluster, namespace, object: gateway },
  ]);
  const clusters = [...new Set(former.map((it) => it.cluster))];
  return [
    'Each gateway makes another key when its Secret is gone and Liqo looks at it again; its pod goes on with the old key:',
    ...commandLines(commands, USUAL_NAMES, true).map((it) => `  ${it}`),
    `Then "weft keys collect --replace" with the contexts of ${listOf(clusters)}, compile, and merge. A pod that starts`,
    'again before that has the new key already, and its tunnel is down until the peer has it: do not stop halfway.',
    'Afterwards delete the pods of both gateways, first that of the server, then that of the client.',
  ];
}
