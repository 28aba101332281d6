import { CHART_TEMPLATES, DEFAULT_LIQO_NAMESPACE } from '../../base/releases/install-defaults.ts';
import type { ObservedCluster, Place } from '../observed/observed-cluster.ts';
import type { GatewaySettings, LinkOptions } from './infer-gateway.ts';
import type { ClustersById, LiveEnd, LiveLink } from './live-link.ts';
import { templateSettings } from './template-settings.ts';

/** How weft calls the templates that it writes; that of a link with annotations of its own has the client at its end. */
const OURS = { server: 'weft-wireguard-server', client: 'weft-wireguard-client' } as const;

/** Everything that the templates of ours in one cluster say, of those that are there. */
export function settingsInTemplates(observed: ObservedCluster): readonly ReturnType<typeof templateSettings>[] {
  return [...observed.templates.values()]
    .filter(({ metadata }) => metadata.namespace === namespaceOf(observed) && isOurs(metadata.name))
    .map(templateSettings);
}

/** Whether there is a template with one of the names that weft gives. */
export const hasOwnTemplates = (observed: ObservedCluster): boolean => settingsInTemplates(observed).length > 0;

const isOurs = (name: string): boolean =>
  name === OURS.client || name === OURS.server || name.startsWith(`${OURS.server}-`);

const namespaceOf = ({ liqoNamespace }: ObservedCluster): string => liqoNamespace ?? DEFAULT_LIQO_NAMESPACE;

/** The settings of pods and Services of a cluster's gateways; of several templates all together. */
export function gatewayInTemplates(observed: ObservedCluster): GatewaySettings {
  const settings: GatewaySettings = {};
  for (const it of settingsInTemplates(observed)) Object.assign(settings, it.gateway);
  return settings;
}

/** Annotations of the Service of a link that its template has, up to 1.1. */
export function annotationsInTemplate(
  { cluster, gateway }: LiveEnd,
  clusters: ClustersById,
): Readonly<Record<string, string>> {
  const template = gateway?.template;
  const observed = clusters.get(cluster);
  if (!template || !observed || !isOurs(template.name)) return {};
  const found = observed.templates.get(
    `WgGatewayServerTemplate.networking.liqo.io ${template.namespace}/${template.name}`,
  );
  return found === undefined ? {} : templateSettings(found).annotations;
}

type TemplateOption = NonNullable<LinkOptions['template']>;

/**
 * The templates of a link that neither the chart provides nor weft writes. In a cluster of `foreign`, weft would not write those
 * that have its names.
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
  const isHere = namespace === namespaceOf(observed);
  if (isHere && name === CHART_TEMPLATES[gateway.role]) return undefined;
  if (isHere && isOurs(name) && !foreign.has(cluster)) return undefined;
  return isHere ? name : { name, namespace };
}
