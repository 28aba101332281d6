import { valueAt } from '../../../base/core/collections.ts';
import { canonicalQuantity, parseQuantity } from '../../../base/core/quantity.ts';
import { UNREFLECTED_ANNOTATIONS } from '../../../base/releases/install-defaults.ts';
import { PROVIDER_LABEL } from '../../../base/releases/labels.ts';
import type {
  ClusterSpec,
  LendingSpec,
  ReflectionSpec,
  VirtualKubeletSpec,
} from '../../../base/schema-types/topology.ts';
import { type Json, type JsonMap, jsonAt, textMapAt, textsAt } from '../../dumps/json.ts';
import type { ObservedChart } from '../../facts/sharing.ts';

type ChartSettings = Pick<ClusterSpec, 'platform' | 'cni' | 'lending' | 'virtualKubelet' | 'reflection'>;

/** Returns the settings of a cluster that differ from the chart's defaults. */
export function chartSettings({ manager, webhook, kubelet }: ObservedChart): ChartSettings {
  const { [PROVIDER_LABEL]: provider, ...otherLabels } = mapIn(argument(manager ?? [], 'cluster-labels'));
  const isK3s = provider === 'k3s';
  const settings: ChartSettings = {
    // Its fabric has no monitor of rules, which the label alone would not say.
    ...(isK3s ? { platform: 'k3s' } : {}),
    // The rules of its nodes show the only CNI that masquerades every source.
    ...(manager?.includes('--fabric-full-masquerade-enabled=true') ? { cni: 'aws-vpc' } : {}),
    lending: withoutEmpty({
      ...(manager === null ? {} : lendingIn(manager)),
      ...(isK3s ? { nodeLabels: otherLabels } : {}),
      ...(webhook === null || webhook.some((it) => it.startsWith('--enable-resource-enforcement'))
        ? {}
        : { enforceResources: false }),
    }),
    ...(kubelet === null ? {} : { virtualKubelet: kubeletIn(kubelet), reflection: reflectionIn(kubelet) }),
  };
  return withoutEmpty(settings);
}

/** Returns the API server of the chart's values; `undefined` when Liqo detects it. */
export function apiServerIn(manager: readonly string[]): ClusterSpec['apiServer'] {
  const [address, ca] = [argument(manager, 'api-server-address-override'), argument(manager, 'ca-override')];
  const trustedCA = manager.includes('--trusted-ca') || manager.includes('--trusted-ca=true');
  if (address === undefined) return undefined;
  if (trustedCA) return { address, trustedCA };
  return ca === undefined ? address : { address, ca };
}

/** Removes empty maps and lists. */
const withoutEmpty = <T extends object>(members: T): T =>
  Object.fromEntries(
    Object.entries(members).filter(([, it]) =>
      Array.isArray(it) ? it.length > 0 : typeof it !== 'object' || Object.keys(it ?? {}).length > 0,
    ),
  ) as T;

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

/** Source: liqotech/liqo@v1.2.0 deployments/liqo/values.yaml (offloading.defaultNodeResources). */
const DEFAULT_RESOURCES: Readonly<Record<string, string>> = {
  cpu: '4',
  memory: '8Gi',
  pods: '110',
  'ephemeral-storage': '20Gi',
};

const LIMITS = ['Soft', 'Hard'] as const;

function lendingIn(args: readonly string[]): LendingSpec {
  const limits = LIMITS.find((it) => it === argument(args, 'default-limits-enforcement'));
  const resources = Object.entries(mapIn(argument(args, 'default-node-resources'))).filter(
    ([key, it]) => parseQuantity(it) !== undefined && canonicalQuantity(it) !== valueAt(DEFAULT_RESOURCES, key),
  );
  const storageClass = argument(args, 'real-storage-class-name');
  return withoutEmpty({
    nodeLabels: mapIn(argument(args, 'cluster-labels')),
    defaultResources: Object.fromEntries(resources),
    ...(storageClass === undefined ? {} : { storageClass }),
    ingressClasses: classesIn(argument(args, 'ingress-classes')),
    loadBalancerClasses: classesIn(argument(args, 'load-balancer-classes')),
    ...(limits === undefined ? {} : { limits }),
  });
}

/** Parses `nginx;default,traefik` into a list with the default first, which is weft's form; empty without a default. */
function classesIn(text: string | undefined): string[] {
  const names = text?.split(',') ?? [];
  const usual = names.find((it) => it.endsWith(';default'));
  if (usual === undefined) return [];
  return [usual.slice(0, -';default'.length), ...names.filter((it) => it !== usual)];
}

/** Arguments that the chart adds. Source: liqotech/liqo@v1.2.0 deployments/liqo/templates/liqo-vk-options-template.yaml. */
const ADDED = ['--enable-apiserver-support=true', '--disable-ip-reflection', '--certificate-type=aws'];

function kubeletIn(options: JsonMap): VirtualKubeletSpec {
  const replicas = jsonAt(options, 'replicas');
  return withoutEmpty({
    ...(typeof replicas === 'number' && replicas > 1 ? { replicas } : {}),
    args: textsAt(options, 'extraArgs').filter((it) => !ADDED.includes(it)),
    labels: textMapAt(options, 'extraLabels'),
    annotations: textMapAt(options, 'extraAnnotations'),
    nodeLabels: textMapAt(options, 'nodeExtraLabels'),
    nodeAnnotations: textMapAt(options, 'nodeExtraAnnotations'),
  });
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

function reflectionIn(options: JsonMap): ReflectionSpec {
  const kinds = Object.entries(WORKERS).map(([kind, usual]) => {
    const found = jsonAt(options, 'reflectorsConfig', kind);
    const [workers, type]: readonly (Json | undefined)[] = [jsonAt(found, 'workers'), jsonAt(found, 'type')];
    return [
      kind,
      {
        ...(typeof workers === 'number' && workers !== usual ? { workers } : {}),
        ...(type === 'AllowList' ? { type } : {}),
      },
    ] as const;
  });
  return withoutEmpty({
    ...(textsAt(options, 'extraArgs').includes('--disable-ip-reflection') ? { ips: false } : {}),
    skipLabels: [...textsAt(options, 'labelsNotReflected')],
    skipAnnotations: textsAt(options, 'annotationsNotReflected').filter((it) => !UNREFLECTED_ANNOTATIONS.includes(it)),
    ...Object.fromEntries(kinds),
  });
}
