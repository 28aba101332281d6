import { type Diagnostic, diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { GENEVE_PORT } from '../../../base/releases/gateways.ts';
import { shortenedPiece } from '../../../base/source/document-problem.ts';
import type { HelmValue } from '../../model/network-model.ts';
import type { AddressedCluster, AddressRule } from '../addressed-model.ts';
import { type ChartValues, decidedValues } from '../decided-values.ts';

/** `helmValues` say of no value something else than the key of the topology that decides it. */
export const helmValuesAgreeWithTheTopology: AddressRule = function* ({ clusters }) {
  // A value in `defaults` is that of every cluster, and is reported about the first.
  const places = new Set<string>();
  for (const cluster of clusters.values()) {
    if (cluster.helmValues.length === 0 || cluster.retired) continue;
    const decided = decidedValues(cluster);
    for (const it of cluster.helmValues) {
      const place = `${it.key.source.path} ${it.key.start}`;
      if (places.has(place)) continue;
      for (const found of disagreement(it, cluster, decided)) {
        places.add(place);
        yield found;
      }
    }
  }
};

function* disagreement(
  { path, value, key: at }: HelmValue,
  { name, image }: AddressedCluster,
  decided: ChartValues,
): Iterable<Diagnostic> {
  const dotted = path.join('.');
  const [, key] = DECIDED.find(([it]) => dotted === it || dotted.startsWith(`${it}.`)) ?? [];
  const written = valueIn(decided, path);
  // Some values are decided on some platforms only.
  if (key === undefined && written === undefined) return;
  const wanted = written ?? (dotted === 'tag' ? image.tag : UNDECIDED.get(dotted));
  if (JSON.stringify(wanted) === JSON.stringify(value)) return;
  const is = `\`${dotted}\` in \`helmValues\` of "${name}" is ${valueText(value)}`;
  const should = wanted === undefined ? 'weft does not set it' : `it is ${valueText(wanted)}`;
  const decider = key === undefined ? '`platform`' : key;
  yield decider === null
    ? diagnostic('topology/decided-value', at, `${is}, but weft compiles for the value of the chart`, {
        hint: 'remove it',
      })
    : diagnostic('topology/decided-value', at, `${is}, but ${decider} decides it, and ${should}`, {
        hint: `remove it, or change ${decider}`,
      });
}

function valueIn(values: ChartValues, path: readonly string[]): unknown {
  let here: unknown = values;
  for (const key of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined;
    here = (here as Readonly<Record<string, unknown>>)[key];
  }
  return here;
}

const valueText = (value: unknown): string => shortenedPiece(JSON.stringify(value));

/**
 * Values that other keys of the topology decide, with those keys; `null` for those on whose default weft relies. Gateways with a
 * template of weft's own would not have the values of the chart's.
 */
const DECIDED: readonly (readonly [path: string, key: string | null])[] = [
  ['apiServer', '`apiServer`'],
  ['discovery.config.clusterID', 'the name of the cluster'],
  ['fullnameOverride', null],
  ['ipam.additionalPools', '`ipam.pools`'],
  ['ipam.external', null],
  ['ipam.externalCIDR', '`externalCIDR`'],
  ['ipam.internalCIDR', '`internalCIDR`'],
  ['ipam.podCIDR', '`podCIDR`'],
  ['ipam.podCIDRs', '`podCIDR`'],
  ['ipam.pools', '`ipam.pools`'],
  ['ipam.reservedSubnets', '`reserved`'],
  ['ipam.serviceCIDR', '`serviceCIDR`'],
  ['metrics', '`monitoring`'],
  ['nameOverride', null],
  ['networking.clientResources', null],
  ['networking.enabled', null],
  ['networking.fabric.config.fullMasquerade', '`cni` or `platform`'],
  ['networking.fabric.config.gatewayMasqueradeBypass', '`cni` or `platform`'],
  ['networking.gatewayTemplates', '`gateway`'],
  ['networking.gatewayTemplates.wireguard', '`platform`'],
  ['networking.genevePort', null],
  ['networking.serverResources', null],
  ['openshiftConfig.enable', '`platform`'],
  ['openshiftConfig.enabled', '`platform`'],
  ['tag', '`liqo.version` or `liqo.image.tag`'],
];

/** The chart's own values where the topology decides none. Source: liqotech/liqo@v1.2.0 deployments/liqo/values.yaml. */
const UNDECIDED: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['apiServer.address', ''],
  ['apiServer.ca', ''],
  ['apiServer.trustedCA', false],
  ['fullnameOverride', ''],
  ['ipam.external.enabled', false],
  ['metrics.enabled', false],
  ['metrics.prometheusOperator.enabled', false],
  ['nameOverride', ''],
  ['networking.enabled', true],
  ['networking.fabric.config.fullMasquerade', false],
  ['networking.fabric.config.gatewayMasqueradeBypass', false],
  ['networking.genevePort', GENEVE_PORT],
  ['openshiftConfig.enabled', false],
]);
