import { printBundlePath } from '../base/core/bundle-path.ts';
import { sortedUnique } from '../base/core/order.ts';
import type { ServiceState } from './network-state.ts';
import { type ManifestLines, readManifestLines } from './read-manifest-lines.ts';
import type { Files } from './state-texts.ts';

/** The gateway templates in the files. Each is read once, since thousands of links use the same. */
export class ServiceTemplates {
  readonly #files: Files;
  readonly #read = new Map<string, ManifestLines>();

  constructor(files: Files) {
    this.#files = files;
  }

  /** Empty for a template that the files do not contain: the chart's, or one that somebody else provides. */
  named(cluster: string, name: string): ManifestLines {
    const path = printBundlePath({ part: 'gateway-templates', cluster, name });
    const lines = this.#read.get(path) ?? readManifestLines(this.#files.get(path) ?? '')[0] ?? new Map();
    this.#read.set(path, lines);
    return lines;
  }
}

/** The Service of a server: what its GatewayServer and the template say of it. `null` without a GatewayServer. */
export function readServiceState(
  manifests: readonly ManifestLines[],
  cluster: string,
  templates: ServiceTemplates,
): ServiceState | null {
  const server = manifests.find((it) => it.get('kind') === 'GatewayServer');
  if (server === undefined) return null;
  const endpoint = (field: string): string | undefined => server.get(`spec.endpoint.${field}`);
  const template = templates.named(cluster, server.get('spec.serverTemplateRef.name') ?? '');
  const inTemplate = (field: string): string | undefined => template.get(`${SERVICE}.spec.${field}`);
  return {
    type: endpoint('serviceType') ?? '',
    port: endpoint('port') ?? '',
    nodePort: endpoint('nodePort') ?? null,
    loadBalancerIP: endpoint('loadBalancerIP') ?? null,
    loadBalancerClass: inTemplate('loadBalancerClass') ?? null,
    externalTrafficPolicy: inTemplate('externalTrafficPolicy') ?? 'Cluster',
    allocatesNodePorts: inTemplate('allocateLoadBalancerNodePorts') !== 'false',
    annotations: sortedUnique([
      ...entriesBelow(server, 'spec.serviceAnnotations.'),
      ...entriesBelow(template, `${SERVICE}.metadata.annotations.`),
    ]),
  };
}

/** The path of the Service in a template. */
const SERVICE = 'spec.template.spec.service';

const entriesBelow = (lines: ManifestLines, prefix: string): readonly string[] =>
  [...lines].filter(([key]) => key.startsWith(prefix)).map(([key, value]) => `${key.slice(prefix.length)}=${value}`);
