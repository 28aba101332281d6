import { groupBy, sortedEntries, valueAt } from '../../../base/core/collections.ts';
import { canonicalQuantity, parseQuantity } from '../../../base/core/quantity.ts';
import { SLICE_DEFAULTS, UNREFLECTED_ANNOTATIONS } from '../../../base/releases/install-defaults.ts';
import { PROVIDER_LABEL } from '../../../base/releases/labels.ts';
import type { ClusterSpec } from '../../../base/schema-types/topology.ts';
import { type Json, type JsonMap, jsonAt, textMapAt, textsAt } from '../../dumps/json.ts';
import type { ObservedChart } from '../../facts/sharing.ts';

type ChartSettings = Pick<ClusterSpec, 'platform' | 'cni' | 'helmValues'>;

/** Returns the settings of a cluster that differ from the chart's defaults. */
export function chartSettings({ manager, webhook, kubelet }: ObservedChart): ChartSettings {
  const { [PROVIDER_LABEL]: provider, ...otherLabels } = mapIn(argument(manager ?? [], 'cluster-labels'));
  const isK3s = provider === 'k3s';
  const isUnlimited = webhook !== null && !webhook.some((it) => it.startsWith('--enable-resource-enforcement'));
  const helmValues = valuesTree([
    ...(manager === null ? [] : lendingIn(manager)),
    ['discovery.config.clusterLabels', isK3s ? otherLabels : mapIn(argument(manager ?? [], 'cluster-labels'))],
    ['controllerManager.config.enableResourceEnforcement', isUnlimited ? false : undefined],
    ...(kubelet === null ? [] : [...kubeletIn(kubelet), ...reflectionIn(kubelet)]),
  ]);
  return {
    // Its fabric has no monitor of rules, which the label alone would not say.
    ...(isK3s ? { platform: 'k3s' } : {}),
    // The rules of its nodes show the only CNI that masquerades every source.
    ...(manager?.includes('--fabric-full-masquerade-enabled=true') ? { cni: 'aws-vpc' } : {}),
    ...(Object.keys(helmValues).length === 0 ? {} : { helmValues }),
  };
}

type ValueAt = readonly [path: string, value: Json | undefined];

/** The values as maps of maps; those that are `undefined` or empty are left out. */
function valuesTree(values: readonly ValueAt[]): Record<string, Json> {
  const set = values.filter(
    ([, it]) => it !== undefined && (typeof it !== 'object' || Object.keys(it ?? {}).length > 0),
  );
  const byKey = groupBy(set, ([path]) => [path.split('.')[0] ?? '']);
  return Object.fromEntries(
    sortedEntries(byKey).map(([key, them]) => {
      const below = them.map(([path, it]): ValueAt => [path.slice(key.length + 1), it]);
      return [key, below[0]?.[0] === '' ? (below[0][1] ?? null) : valuesTree(below)];
    }),
  );
}

/** Returns the API server of the chart's values; `undefined` when Liqo detects it. */
export function apiServerIn(manager: readonly string[]): ClusterSpec['apiServer'] {
  const [address, ca] = [argument(manager, 'api-server-address-override'), argument(manager, 'ca-override')];
  const trustedCA = manager.includes('--trusted-ca') || manager.includes('--trusted-ca=true');
  if (address === undefined) return undefined;
  if (trustedCA) return { address, trustedCA };
  return ca === undefined ? address : { address, ca };
}

/** Returns the value of an argument, unless it is empty. */
function argument(args: readonly string[], name: string): string | undefined {
  const start = `--${name}=`;
  const found = args.find((it) => it.startsWith(start))?.slice(start.length);
  return found === '' ? undefined : found;
}

/** Parses `a=b,c=d`. */
const mapIn = (text: string | undefined): Readonly<Record<string, string>> =>
  Object.fromEntries(
    (text?.split(',') ?? []).flatMap((it) => {
      const [, key, value] = /^([^=]+)=(.*)$/.exec(it) ?? [];
      return key === undefined || value === undefined ? [] : [[key, value]];
    }),
  );

const LIMITS = ['Soft', 'Hard'] as const;

function lendingIn(args: readonly string[]): readonly ValueAt[] {
  const resources = Object.entries(mapIn(argument(args, 'default-node-resources'))).filter(
    ([key, it]) => parseQuantity(it) !== undefined && canonicalQuantity(it) !== valueAt(SLICE_DEFAULTS, key),
  );
  return [
    ['offloading.defaultNodeResources', Object.fromEntries(resources)],
    ['storage.realStorageClassName', argument(args, 'real-storage-class-name')],
    ['offloading.reflection.ingress.ingressClasses', classesIn(argument(args, 'ingress-classes'))],
    ['offloading.reflection.service.loadBalancerClasses', classesIn(argument(args, 'load-balancer-classes'))],
    [
      'controllerManager.config.defaultLimitsEnforcement',
      LIMITS.find((it) => it === argument(args, 'default-limits-enforcement')),
    ],
  ];
}

/** Parses `nginx;default,traefik` into the chart's list; empty without a default, which the chart cannot express. */
function classesIn(text: string | undefined): readonly Json[] {
  const classes = (text?.split(',') ?? []).map((it) => {
    const [name = '', ...marks] = it.split(';');
    return marks.includes('default') ? { name, default: true } : { name };
  });
  return classes.some((it) => 'default' in it) ? classes : [];
}

/** Arguments that the chart adds. Source: liqotech/liqo@v1.2.0 deployments/liqo/templates/liqo-vk-options-template.yaml. */
const ADDED = ['--enable-apiserver-support=true', '--disable-ip-reflection', '--certificate-type=aws'];

function kubeletIn(options: JsonMap): readonly ValueAt[] {
  const replicas = jsonAt(options, 'replicas');
  return [
    ['virtualKubelet.replicas', typeof replicas === 'number' && replicas > 1 ? replicas : undefined],
    ['virtualKubelet.extra.args', textsAt(options, 'extraArgs').filter((it) => !ADDED.includes(it))],
    ['virtualKubelet.extra.labels', textMapAt(options, 'extraLabels')],
    ['virtualKubelet.extra.annotations', textMapAt(options, 'extraAnnotations')],
    ['virtualKubelet.virtualNode.extra.labels', textMapAt(options, 'nodeExtraLabels')],
    ['virtualKubelet.virtualNode.extra.annotations', textMapAt(options, 'nodeExtraAnnotations')],
  ];
}

/** Default workers by kind. Source: liqotech/liqo@v1.0.0 to @v1.2.0 deployments/liqo/values.yaml (offloading.reflection). */
const WORKERS = {
  pod: 10,
  service: 3,
  endpointslice: 10,
  ingress: 3,
  configmap: 3,
  secret: 3,
  serviceaccount: 3,
  persistentvolumeclaim: 3,
  event: 3,
} as const;

function reflectionIn(options: JsonMap): readonly ValueAt[] {
  const kinds = Object.entries(WORKERS).flatMap(([kind, usual]): readonly ValueAt[] => {
    const found = jsonAt(options, 'reflectorsConfig', kind);
    const [workers, type]: readonly (Json | undefined)[] = [jsonAt(found, 'workers'), jsonAt(found, 'type')];
    const path = `offloading.reflection.${kind}`;
    return [
      [`${path}.workers`, typeof workers === 'number' && workers !== usual ? workers : undefined],
      [`${path}.type`, type === 'AllowList' ? type : undefined],
    ];
  });
  const annotations = textsAt(options, 'annotationsNotReflected');
  return [
    ['networking.reflectIPs', textsAt(options, 'extraArgs').includes('--disable-ip-reflection') ? false : undefined],
    ['offloading.reflection.skip.labels', textsAt(options, 'labelsNotReflected')],
    ['offloading.reflection.skip.annotations', annotations.filter((it) => !UNREFLECTED_ANNOTATIONS.includes(it))],
    ...kinds,
  ];
}
