import { readUnknownKeys } from '../../base/core/key-pair.ts';
import { visibleFields } from '../../base/core/visible-text.ts';
import { countOf, firstOf, listOf, quotedNames } from '../../base/core/words.ts';
import { REPLACE_SECRET } from '../../plan/changes/plain-words.ts';
import type { StepCommand } from '../../plan/step-command.ts';
import { printLines } from './layout.ts';
import { commandLines, USUAL_NAMES } from './live-commands.ts';
import type { Paint } from './paint.ts';
import { recordedLines } from './print-collected.ts';

/** Keys that were missing: how many, where the Secrets are, and which file has the public halves. */
export interface GeneratedKeys {
  /** The numbers of gateways and consumers without a key, and of their clusters. */
  readonly counts: { readonly gateways: number; readonly consumers: number; readonly clusters: number };
  /** `null` when no Secret was made. */
  readonly delivered: Delivered | null;
  readonly files: { readonly keys: string };
  /** True when gateways make their keys in their clusters. */
  readonly byLiqo: boolean;
  /** Gateways and consumers whose key was in use. */
  readonly replaced: { readonly gateways: readonly unknown[]; readonly consumers: readonly string[] };
  /** Gateways and consumers that keep a key which is not known here. */
  readonly left: { readonly gateways: readonly { readonly peer: string }[]; readonly consumers: readonly string[] };
  /** Consumers whose former key was for their former name. */
  readonly renamed: readonly { readonly cluster: string; readonly former: string }[];
  /** Clusters whose keys get their new name. */
  readonly moved: readonly string[];
}

export type Delivered =
  | { readonly kind: 'folder'; readonly folder: string; readonly files: number }
  | { readonly kind: 'stream' };

/** The place of delivered Secrets, which follows their number. */
const deliveredTo = (it: Delivered): string =>
  it.kind === 'stream' ? 'on stdout' : `in ${it.folder}/ (${countOf(it.files, 'file')}, mode 0600)`;

/** The call, as far as its answer depends on it. */
interface KeysCall {
  /** The clusters whose keys were requested; empty for all. */
  readonly clusters: readonly string[];
  readonly replace: boolean;
  readonly check: boolean;
}

/** True when the keys file changes, or would change. */
export const changesKeys = ({ counts, moved }: Pick<GeneratedKeys, 'counts' | 'moved'>): boolean =>
  counts.gateways + counts.consumers + moved.length > 0;

/** `weft keys generate`: the Secrets and what to do with them, then the result for the file, and the unknown keys. */
export function printGeneratedKeys(generated: GeneratedKeys & KeysCall, paint: Paint): string {
  const { counts, delivered, files, byLiqo, left, moved, clusters, replace, check } = visibleFields(generated);
  const unknown = left.gateways.length + left.consumers.length;
  const missing = delivered === null ? counts.gateways + counts.consumers : 0;
  const advice = replace
    ? 'To replace a key, remove its entry there first.'
    : 'Secrets are written once, when keys are made: to make a lost one again, remove the entry of its key there and pass --replace.';
  const lines = [
    ...(delivered === null ? [] : deliveredKeys({ ...visibleFields(generated), delivered })),
    ...(moved.length === 0 ? [] : [`The keys of ${listOf(moved)} ${check ? 'would get' : 'have'} the new name.`]),
    ...(byLiqo ? ['Gateways make their own keys in their clusters: "weft keys collect" records them.'] : []),
    ...(left.gateways.length === 0 ? [] : [`${upper(readUnknownKeys(left.gateways))}.`]),
    ...recordedLines(
      { file: files.keys, changes: changesKeys(generated), check },
      {
        whole: `every ${byLiqo ? 'authentication key' : 'key'}${clusters.length === 0 ? '' : ` of ${listOf(clusters)}`}`,
        problems: [
          ...(missing > 0 ? [`${countOf(missing, 'key')} of ${countOf(counts.clusters, 'cluster')} missing`] : []),
          ...(unknown > 0 ? [`${countOf(unknown, 'other key')} in use and not known there`] : []),
        ],
      },
      paint,
    ),
    ...(changesKeys(generated) || check ? [] : [advice]),
  ];
  return printLines(lines);
}

type DeliveredKeys = GeneratedKeys & { readonly delivered: NonNullable<GeneratedKeys['delivered']> };

function deliveredKeys({ counts, delivered, replaced, renamed }: DeliveredKeys): readonly string[] {
  return [
    `${secretsOf(counts)} for ${countOf(counts.clusters, 'cluster')} ${deliveredTo(delivered)}`,
    'Apply each Secret in the cluster named above it. No other copy of the private keys exists: deliver them now.',
    ...(counts.consumers === 0
      ? []
      : [
          'Apply authentication keys before Liqo is installed; for a cluster where it runs, read the comment above its key.',
        ]),
    ...renamed.map(
      ({ cluster, former }) =>
        `${quotedNames([cluster])} has a new authentication key: the requests of the old one are for ${quotedNames([former])}.`,
    ),
    ...replacedGateways(replaced.gateways.length),
    ...replacedConsumers(replaced.consumers),
  ];
}

/** Both kinds with their counts, where there are both. */
function secretsOf({ gateways, consumers }: GeneratedKeys['counts']): string {
  if (consumers === 0) return countOf(gateways, 'Secret');
  const authentication = countOf(consumers, 'authentication key');
  const all = countOf(gateways + consumers, 'Secret');
  return gateways === 0
    ? `${all} (${authentication})`
    : `${all} (${countOf(gateways, 'WireGuard key pair')}, ${authentication})`;
}

const upper = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

const replacedGateways = (count: number): readonly string[] =>
  count === 0
    ? []
    : [
        `${countOf(count, 'key')} ${count === 1 ? 'was' : 'were'} in use: ${REPLACE_SECRET}.`,
        'Run "weft plan" for the steps of both ends and their order.',
      ];

const replacedConsumers = (names: readonly string[]): readonly string[] =>
  names.length === 0
    ? []
    : [
        `The authentication ${names.length === 1 ? 'key' : 'keys'} of ${listOf(names)} ${names.length === 1 ? 'was' : 'were'} in use: providers refuse the new ${names.length === 1 ? 'one' : 'ones'} until they have forgotten the old.`,
        'Run "weft plan" for the steps and their order.',
      ];

export interface RotatedKeys {
  readonly files: { readonly keys: string };
  /** The links whose keys change, or would change: `rome/milan`, the server first. */
  readonly links: readonly string[];
  /** Links that have next keys already, which are not made again. */
  readonly prepared: readonly string[];
  /** The oldest key of these links; `null` when one is of an unknown day, or there is none. */
  readonly oldest: string | null;
  readonly counts: { readonly gateways: number; readonly clusters: number };
  /** True when gateways make their keys in their clusters: nothing is written, and `former` has to be deleted. */
  readonly byLiqo: boolean;
  /** The Secrets in use until then, whose labels have to go; empty while keys are made. */
  readonly former: readonly FormerSecret[];
  /** `null` when no Secret was made. */
  readonly delivered: Delivered | null;
}

export interface FormerSecret {
  readonly cluster: string;
  readonly namespace: string;
  readonly secret: string;
  /** The object of Liqo that makes a Secret when it is touched: `wggatewayserver/milan`. */
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
      ...recordedLines({ file: files.keys, changes, check }, { whole: 'each of them', problems: [] }, paint),
      'Then "weft plan", which lists the steps of both ends and their order.',
      `Secrets that are no longer used then: ${secrets}`,
    ]);
  }
  return printLines([
    `The next keys of ${which}`,
    ...waiting,
    ...deliveredLines(rotated),
    ...recordedLines({ file: files.keys, changes, check }, { whole: 'every next key', problems: [] }, paint),
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
