import { gatewayKeys } from '../gateway-keys.ts';
import type { FindingRule } from './finding-rule.ts';

/** Each gateway has a key of its own, of 32 bytes. */
export const keysCanBeUsed: FindingRule = function* (live) {
  for (const { holder, of, why, place } of gatewayKeys(live).unusable) {
    const object = `PublicKey ${place.namespace}/${place.name} of "${holder}"`;
    yield {
      code: 'import/unusable-key',
      cluster: holder,
      message:
        why === 'not-a-key'
          ? `${object}, for the gateway of "${of}", is not 32 bytes in base64`
          : `${object}, for the gateway of "${of}", is the key of another gateway as well`,
      hint: `give the gateway of "${of}" a key pair of its own; the keys file has none for it`,
    };
  }
};
