import { diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { DEFAULT_MTU_BYTES } from '../../base/releases/install-defaults.ts';
import type { Located } from '../../base/source/located.ts';
import type { Report } from './report.ts';

/** Lowest and highest MTU that is accepted: an IPv4 host must accept 576 bytes (RFC 791), a length field has 16 bits. */
const MTU_BYTES = { lowest: 576, highest: 65535 } as const;

/** Reports an MTU that no tunnel can have; returns it unchanged. */
export function checkMtu(mtu: Located<number>, what: string, report: Report): Located<number> {
  if (mtu.value >= MTU_BYTES.lowest && mtu.value <= MTU_BYTES.highest) return mtu;
  report(
    diagnostic(
      'topology/mtu-out-of-range',
      mtu.at,
      `${what} is ${mtu.value} bytes, which is outside ${MTU_BYTES.lowest} to ${MTU_BYTES.highest}`,
      {
        hint: `set the MTU of the link between the gateways minus 60 (IPv4); Liqo's default is ${DEFAULT_MTU_BYTES}`,
      },
    ),
  );
  return mtu;
}
