import { quoted } from '../../../base/core/words.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { SharingRule } from './sharing-rule.ts';

/** Source: kubernetes/apimachinery@v0.35.0 pkg/util/validation/validation.go (DNS1123LabelMaxLength). */
const LONGEST_NAMESPACE = 63;

/** The name that Liqo makes of a namespace and its cluster is that of a namespace, too. A chosen one is checked as a text. */
export const remoteNamesFit: SharingRule = function* ({ model }) {
  for (const { at, cluster, namespace, remoteName } of model.offloadings) {
    if (remoteName.length <= LONGEST_NAMESPACE) continue;
    yield diagnostic(
      'sharing/remote-name-too-long',
      at,
      `namespace ${quoted(namespace)} of ${quoted(cluster.name)} would be called ${quoted(remoteName)} in its providers, which has ${remoteName.length} characters`,
      { hint: `set \`remoteName\` to a name of at most ${LONGEST_NAMESPACE} characters` },
    );
  }
};
