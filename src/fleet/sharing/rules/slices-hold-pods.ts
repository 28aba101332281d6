import { listOf, quoted } from '../../../base/core/words.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { SharingRule } from './sharing-rule.ts';

/**
 * A virtual node is ready only with some CPU and some memory, and Kubernetes places no pod on a node for none. What a slice
 * does not ask for is no zero: the provider gives its default.
 * Source: liqotech/liqo@v1.2.0 pkg/virtualKubelet/liqoNodeProvider (Ready),
 * pkg/liqo-controller-manager/authentication/remoteresourceslice-controller.
 */
const NEEDED = ['cpu', 'memory', 'pods'];

/** No slice asks for nothing of what every pod needs. */
export const slicesHoldPods: SharingRule = function* ({ model }) {
  for (const { consumer, provider, slices } of model.shares) {
    for (const { name, at, resources } of slices) {
      const none = NEEDED.filter((it) => resources[it] === '0');
      if (none.length === 0) continue;
      yield diagnostic(
        'sharing/slice-of-nothing',
        at,
        `the slice ${quoted(name)} of ${quoted(consumer.name)} from ${quoted(provider.name)} asks for 0 ${listOf(none)}, so no pod can run on its virtual node`,
        { hint: 'ask for more, or leave it out: the provider then gives its default' },
      );
    }
  }
};
