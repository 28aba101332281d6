import { quoted, shortened } from '../core/words.ts';
import { type Diagnostic, diagnostic } from '../diagnostics/diagnostic.ts';
import type { Span } from '../source/source.ts';

const SLICES = 'kubectl get endpointslices -o yaml prints what weft reads; bare addresses will do, too';

export const nothingToTranslate = (at: Span, what = 'there is nothing on stdin'): Diagnostic =>
  diagnostic('translate/empty', at, what, { hint: SLICES });

export const notASlice = (at: Span, message: string): Diagnostic =>
  diagnostic('translate/not-a-slice', at, message, { hint: SLICES });

export const notAnAddress = (at: Span, text: string): Diagnostic =>
  diagnostic('translate/not-an-address', at, `${quoted(shortened(text, SHOWN_LENGTH))} is not an IPv4 address`, {
    hint: /\/\d+$/.test(text) ? 'an endpoint is a single address: leave the prefix length out' : undefined,
  });

export const isIPv6 = (at: Span, text: string): Diagnostic =>
  diagnostic('translate/ipv6', at, `${quoted(shortened(text, SHOWN_LENGTH))} is IPv6, which Liqo does not carry`, {
    hint: 'translate the IPv4 slice of the Service',
  });

export const isHostname = (at: Span): Diagnostic =>
  diagnostic('translate/hostname', at, 'endpoints of addressType "FQDN" are names, and only addresses are translated', {
    hint: 'leave this slice out: a name means the same in every cluster that resolves it',
  });

export const addressOfNobody = (at: Span, address: string, cluster: string, why: string): Diagnostic =>
  diagnostic('translate/address-of-nobody', at, `${address} is no pod that "${cluster}" knows: ${why}`, {
    hint: `--in names the cluster whose addresses these are; weft view ${cluster} shows them`,
  });

/** Longest piece of the input that is repeated in a message, in UTF-16 code units. */
const SHOWN_LENGTH = 60;
