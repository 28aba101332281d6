import { diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { readAddress } from '../../base/net/text.ts';
import type { Located } from '../../base/source/located.ts';
import { isUsableAddress } from './check-dial-address.ts';
import type { Report } from './report.ts';

/** Reports what a load balancer cannot have as its address. `what` names the setting: `loadBalancerIP of "rome"`, `instead` where a DNS name goes. */
export function checkLoadBalancerIP(text: Located<string>, what: string, report: Report, instead: string): void {
  if (readAddress(text.value) !== undefined) {
    isUsableAddress(text, what, report);
    return;
  }
  report(
    diagnostic('topology/bad-address', text.at, `${what} is not an IPv4 address: "${text.value}"`, {
      hint: `set a DNS name in ${instead}`,
    }),
  );
}
