import { LIQO_PING, type Ping, type TemplateSetting } from '../../base/releases/gateways.ts';
import { CHART_TEMPLATES, DEFAULT_LIQO_NAMESPACE } from '../../base/releases/install-defaults.ts';
import { isJsonMap, type Json, jsonAt, listAt, textAt, textMapAt, textsAt } from '../dumps/json.ts';
import type { KubernetesObject, Place } from '../dumps/kubernetes-object.ts';
import type { Images, ObservedCluster } from '../facts/cluster.ts';
import type { ClustersById, LiveEnd, LiveLink } from '../facts/links.ts';
import type { GatewaySettings, LinkOptions } from './infer-gateway.ts';

/** The names of weft's templates; the name for a link with its own annotations ends in the client. */
const OURS = { server: 'weft-wireguard-server', client: 'weft-wireguard-client' } as const;

/** Returns the settings of each of weft's templates in one cluster. */
export function settingsInTemplates(observed: ObservedCluster): readonly ReturnType<typeof templateSettings>[] {
  return [...observed.templates.values()]
    .filter(({ metadata }) => metadata.namespace === liqoNamespaceOf(observed) && isWeftTemplate(metadata.name))
    .map(templateSettings);
}

/** True when there is a template with one of weft's names. */
export const hasOwnTemplates = (observed: ObservedCluster): boolean => settingsInTemplates(observed).length > 0;

const isWeftTemplate = (name: string): boolean =>
  name === OURS.client || name === OURS.server || name.startsWith(`${OURS.server}-`);

const liqoNamespaceOf = ({ liqoNamespace }: ObservedCluster): string => liqoNamespace ?? DEFAULT_LIQO_NAMESPACE;

/** Returns the pod and Service settings of a cluster's gateways, merged from all templates. */
export function gatewayInTemplates(observed: ObservedCluster): GatewaySettings {
  const settings: GatewaySettings = {};
  for (const it of settingsInTemplates(observed)) Object.assign(settings, it.gateway);
  return settings;
}

/** Returns the Service annotations that a link's template has, up to 1.1. */
export function annotationsInTemplate(
  { cluster, gateway }: LiveEnd,
  clusters: ClustersById,
): Readonly<Record<string, string>> {
  const template = gateway?.template;
  const observed = clusters.get(cluster);
  if (!template || !observed || !isWeftTemplate(template.name)) return {};
  const found = observed.templates.get(
    `WgGatewayServerTemplate.networking.liqo.io ${template.namespace}/${template.name}`,
  );
  return found === undefined ? {} : templateSettings(found).annotations;
}

type TemplateOption = NonNullable<LinkOptions['template']>;

/**
 * Returns the templates of a link that are neither the chart's nor weft's. In a cluster of `foreign`, weft would not
 * write the templates with its names.
 */
export function templateOption(
  { server, client }: LiveLink,
  clusters: ClustersById,
  foreign: ReadonlySet<string>,
): TemplateOption | undefined {
  const [ofServer, ofClient] = [server, client].map((it) => ownTemplate(it, clusters, foreign));
  if (ofServer === undefined && ofClient === undefined) return undefined;
  if (typeof ofServer === 'string' && ofServer === ofClient) return ofServer;
  return {
    ...(ofServer === undefined ? {} : { server: ofServer }),
    ...(ofClient === undefined ? {} : { client: ofClient }),
  };
}

function ownTemplate(
  { cluster, gateway }: LiveEnd,
  clusters: ClustersById,
  foreign: ReadonlySet<string>,
): string | { name: string; namespace: string } | undefined {
  const observed = clusters.get(cluster);
  if (gateway?.template == null || observed === undefined) return undefined;
  const { name, namespace }: Place = gateway.template;
  const isHere = namespace === liqoNamespaceOf(observed);
  if (isHere && name === CHART_TEMPLATES[gateway.role]) return undefined;
  if (isHere && isWeftTemplate(name) && !foreign.has(cluster)) return undefined;
  return isHere ? name : { name, namespace };
}

/** The settings of a gateway template that weft can write itself. */
interface TemplateSettings {
  readonly gateway: GatewaySettings;
  readonly images: Images | null;
  /** Annotations of the Services that are created from it. */
  readonly annotations: Readonly<Record<string, string>>;
}

/** Reads the settings with which weft would write a similar template. Only compiling shows if the text is equal. */
function templateSettings(template: KubernetesObject): TemplateSettings {
  const spec = jsonAt(template['spec'], 'template', 'spec');
  const deployment = jsonAt(spec, 'deployment', 'spec');
  const pod = jsonAt(deployment, 'template', 'spec');
  const parts = { deployment, pod, service: jsonAt(spec, 'service', 'spec') };
  const gateway: GatewaySettings = {};
  for (const read of Object.values(READERS)) Object.assign(gateway, read(parts));
  return {
    gateway,
    images: imagesOf(listAt(pod, 'containers')),
    annotations: textMapAt(spec, 'service', 'metadata', 'annotations'),
  };
}

interface TemplateParts {
  readonly deployment: Json | undefined;
  readonly pod: Json | undefined;
  readonly service: Json | undefined;
}

/** Readers of each setting, in the usual order of a topology. */
const READERS: { readonly [key in TemplateSetting]: (parts: TemplateParts) => Pick<GatewaySettings, key> } = {
  replicas: ({ deployment }) => {
    const replicas = jsonAt(deployment, 'replicas');
    return typeof replicas === 'number' && replicas > 1 ? { replicas } : {};
  },
  nodeSelector: ({ pod }) => nodeSelectorOf(jsonAt(pod, 'nodeSelector')),
  tolerations: ({ pod }) => tolerationsOf(listAt(pod, 'tolerations')),
  listenPort: ({ pod }) => listenPort(flagsOf(listAt(pod, 'containers'), 'wireguard')),
  ping: ({ pod }) => pingOf(flagsOf(listAt(pod, 'containers'), 'gateway')),
  externalTrafficPolicy: ({ service }) =>
    textAt(service, 'externalTrafficPolicy') === 'Local' ? { externalTrafficPolicy: 'Local' } : {},
  loadBalancerClass: ({ service }) => {
    const loadBalancerClass = textAt(service, 'loadBalancerClass');
    return loadBalancerClass === undefined ? {} : { loadBalancerClass };
  },
  allocateLoadBalancerNodePorts: ({ service }) =>
    jsonAt(service, 'allocateLoadBalancerNodePorts') === false ? { allocateLoadBalancerNodePorts: false } : {},
};

type Flags = ReadonlyMap<string, string>;

/** Parses the flags of the container with this name, e.g. `--mode=server`. */
function flagsOf(containers: readonly Json[], name: string): Flags {
  const args = containers.filter((it) => textAt(it, 'name') === name).flatMap((it) => textsAt(it, 'args'));
  return new Map(
    args.flatMap((it) => {
      const [, flag, value] = /^--([^=]+)=(.*)$/s.exec(it) ?? [];
      return flag === undefined || value === undefined ? [] : [[flag, value] as const];
    }),
  );
}

function listenPort(flags: Flags): GatewaySettings {
  const port = flags.get('listen-port') ?? '';
  return /^\d+$/.test(port) ? { listenPort: Number(port) } : {};
}

/** Returns only the values that differ from Liqo's defaults. */
function pingOf(flags: Flags): GatewaySettings {
  const number = (flag: string, byDefault: number): number => {
    const text = flags.get(flag) ?? '';
    return /^\d+$/.test(text) ? Number(text) : byDefault;
  };
  const ping: Ping = {
    enabled: flags.get('ping-enabled') !== 'false',
    lossThreshold: number('ping-loss-threshold', LIQO_PING.lossThreshold),
    interval: flags.get('ping-interval') ?? LIQO_PING.interval,
    updateStatusInterval: flags.get('ping-update-status-interval') ?? LIQO_PING.updateStatusInterval,
  };
  const differs = (Object.keys(ping) as (keyof Ping)[]).filter((key) => ping[key] !== LIQO_PING[key]);
  if (differs.length === 0) return {};
  if (differs.length === 1 && !ping.enabled) return { ping: false };
  return { ping: Object.fromEntries(differs.map((key) => [key, ping[key]])) };
}

function imagesOf(containers: readonly Json[]): Images | null {
  const image = containers.filter((it) => textAt(it, 'name') === 'gateway').map((it) => textAt(it, 'image'))[0];
  const [, registry, tag] = /^(.+)\/gateway:([^@]+)$/.exec(image ?? '') ?? [];
  return registry === undefined || tag === undefined ? null : { registry, tag };
}

function nodeSelectorOf(value: Json | undefined): GatewaySettings {
  const nodeSelector = textMapAt(value);
  return Object.keys(nodeSelector).length === 0 ? {} : { nodeSelector };
}

/** The order of keys in a toleration. */
const TOLERATION_KEYS = ['key', 'operator', 'value', 'effect', 'tolerationSeconds'];

function tolerationsOf(found: readonly Json[]): GatewaySettings {
  const tolerations = found
    .filter(isJsonMap)
    .map((it) => Object.fromEntries(TOLERATION_KEYS.flatMap((key) => (it[key] === undefined ? [] : [[key, it[key]]]))));
  return tolerations.length === 0 ? {} : { tolerations };
}
