import { namespaceIn } from '../ipam/namespace-in.ts';
import type { Share } from './shared-model.ts';

type Pair = Pick<Share, 'consumer' | 'provider'>;

/** The tenant namespace of a consumer, in its provider. */
export const namespaceOfConsumer = ({ consumer, provider }: Pair): string => namespaceIn(provider, consumer.name);

/** The tenant namespace of a provider, in its consumer. */
export const namespaceOfProvider = ({ consumer, provider }: Pair): string => namespaceIn(consumer, provider.name);
