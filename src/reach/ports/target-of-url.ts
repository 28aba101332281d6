import type { Target } from './opening.ts';

const DEFAULT_PORTS: Readonly<Record<string, number>> = { https: 443, http: 80 };

/** Host and TCP port of a URL that was checked; an IPv6 address without its brackets. Unknown in any other text. */
export function targetOfUrl(url: string): Target {
  const [, scheme = '', , ipv6, host, port] =
    /^(https?):\/\/([^/?#@]*@)?(?:\[([0-9A-Fa-f:.]+)\]|([^/?#@:[\]]+))(?::(\d{1,5}))?(?:[/?#]|$)/i.exec(url) ?? [];
  const address = ipv6 ?? host;
  if (address === undefined) return { address: null, port: null };
  return { address, port: port === undefined ? (DEFAULT_PORTS[scheme.toLowerCase()] ?? null) : Number(port) };
}
