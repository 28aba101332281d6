import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { secretNameFor } from '../secret-name-for.ts';
import type { TopologyRule } from './topology-rule.ts';

/** Longest name of an object in characters. */
const LONGEST = 253;

/** The name of the Secret of a gateway is not too long, whichever cluster is at the other end. */
export const secretNamesHaveRoomForPeers: TopologyRule = function* ({ keySecretName, names }) {
  const pattern = keySecretName.value;
  const [longest = ''] = names.map((it) => it.value).sort((a, b) => b.length - a.length);
  const { length } = secretNameFor(pattern, longest);
  if (length <= LONGEST || pattern.length > LONGEST) return;
  const message = `\`keys.secretName\` has ${length} characters for the peer "${longest}", more than the ${LONGEST} of a Secret`;
  yield diagnostic('topology/name-too-long', keySecretName.at, message, {
    hint: 'write a shorter one, like gw-{peer}',
  });
};
