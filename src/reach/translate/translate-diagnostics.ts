import { quoted, shortened } from '../../base/core/words.ts';
import { type Diagnostic, diagnostic } from '../../base/diagnostics/diagnostic.ts';
import type { Span } from '../../base/source/source.ts';

const SLICES = 'pipe the output of "kubectl get endpointslices -o yaml" to weft, or bare addresses';

/** Message for an input whose addresses were all left out; each of them has its own reason. */
export const NOTHING_LEFT = 'nothing is left to translate';

export const nothingToTranslate = (at: Span, what = 'stdin contains no addresses'): Diagnostic =>
  diagnostic('translate/empty', at, what, { hint: SLICES });

export const notASlice = (at: Span, message: string): Diagnostic =>
  diagnostic('translate/not-a-slice', at, message, { hint: SLICES });

export const notAnAddress = (at: Span, text: string): Diagnostic =>
  diagnostic('translate/not-an-address', at, `${quoted(shortened(text, SHOWN_LENGTH))} is not an IPv4 address`, {
    hint: /\/\d+$/.test(text) ? 'remove the prefix length: an endpoint is a single address' : undefined,
  });

export const ipv6Address = (at: Span, text: string): Diagnostic =>
  diagnostic('translate/ipv6', at, `${quoted(shortened(text, SHOWN_LENGTH))} is IPv6, which Liqo does not carry`, {
    hint: 'it is left out; the IPv4 addresses of the same Service are translated',
  });

export const isHostname = (at: Span): Diagnostic =>
  diagnostic('translate/hostname', at, 'endpoints of addressType "FQDN" are names, and only addresses are translated', {
    hint: 'this slice is left out: a name needs no translation',
  });

export const addressOfNoPod = (at: Span, address: string, cluster: string, why: string): Diagnostic =>
  diagnostic('translate/address-of-nobody', at, `no pod has the address ${address} in "${cluster}": ${why}`, {
    hint: `it is left out; where it should be a pod, set --in to the cluster that uses it, or run "weft view ${cluster}" to list its addresses`,
  });

/** Longest part of the input that is quoted in a message, in UTF-16 code units. */
const SHOWN_LENGTH = 60;
