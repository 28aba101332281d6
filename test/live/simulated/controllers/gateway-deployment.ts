import type { ApiServer } from '../api-server.ts';
import { controlledBy, type Fields, field, type Metadata, type SimulatedObject, type Texts } from '../objects.ts';
import { defaultedDeployment } from './defaults.ts';

/** Source: liqotech/liqo@v1.2.0 wggatewayserver_controller.go `mutateFnWgServerDeployment`. */
export function ensureDeployment(server: ApiServer, gateway: SimulatedObject, secret: string): void {
  const { name, namespace = '' } = gateway.metadata;
  const wanted = structuredClone(
    field<{ readonly metadata: Metadata; readonly spec: Fields }>(gateway, 'spec', 'deployment'),
  );
  if (wanted === undefined) return;
  for (const it of field<Fields[]>(wanted.spec, 'template', 'spec', 'volumes') ?? []) {
    if (it['name'] === 'wireguard-config') it['secret'] = { secretName: secret };
  }
  const metadata: Metadata = {
    name: `gw-${name}`,
    namespace,
    ...templatedMetadata(wanted.metadata),
    ownerReferences: [controlledBy(gateway)],
  };
  const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec: defaultedDeployment(wanted.spec) };
  const found = server.get('Deployment', metadata.name, namespace) ?? server.create({ ...deployment, status: {} });
  server.update(found, (it) => {
    it.spec = deployment.spec;
    Object.assign(it.metadata, templatedMetadata(wanted.metadata));
  });
}

/**
 * Labels and annotations of a template, and which these are: what later disappears from the template is removed.
 * Source: liqotech/liqo@v1.2.0 pkg/utils/maps `SmartMergeLabels`.
 */
export function templatedMetadata({ labels = {}, annotations = {} }: Metadata): { labels: Texts; annotations: Texts } {
  const listed = (texts: Texts): string =>
    Object.keys(texts)
      .sort()
      .map((it) => `${it},`)
      .join('');
  return {
    labels,
    annotations: {
      ...annotations,
      'liqo.io/template-labels': listed(labels),
      'liqo.io/template-annotations': listed(annotations),
    },
  };
}
