import type { OffloadedNamespace } from '../../fleet/sharing/shared-model.ts';
import type { ProviderPair } from './direct-connection.ts';

/** Every two different providers of a namespace in which its pods may run, in both directions, in order of name. */
export function* providerPairs({ cluster: hub, providers, pods }: OffloadedNamespace): Iterable<ProviderPair> {
  if (pods === 'Local') return;
  for (const from of providers) for (const to of providers) if (from !== to) yield { hub, from, to };
}
