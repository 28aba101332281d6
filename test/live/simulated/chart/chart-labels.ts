import type { ReleaseLine, Texts } from '../objects.ts';
import { VERSIONS } from '../objects.ts';

/** The labels that Liqo's chart puts on what it installs. Source: liqotech/liqo@v1.2.0 deployments/liqo/templates/_helpers.tpl. */
export function chartLabels(name: string, component: string, release: ReleaseLine): Texts {
  return {
    ...chartSelector(name, component),
    'app.kubernetes.io/managed-by': 'Helm',
    'app.kubernetes.io/version': VERSIONS[release],
    'helm.sh/chart': `liqo-${VERSIONS[release]}`,
  };
}

export const chartSelector = (name: string, component: string): Texts => ({
  'app.kubernetes.io/component': component,
  'app.kubernetes.io/instance': `liqo-${name}`,
  'app.kubernetes.io/name': name,
  'app.kubernetes.io/part-of': 'liqo',
});
