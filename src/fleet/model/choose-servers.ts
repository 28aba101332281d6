import { groupBy } from '../../base/core/group-by.ts';
import { printLinkId } from '../../base/core/link-id.ts';
import type { Diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { type Decisions, decisionAbout } from '../lock/decisions.ts';
import { chooseServer, hubWithoutDialableEnd } from './choose-server.ts';
import type { LinkRequest } from './link-request.ts';
import { orientShortcuts } from './orient-shortcuts.ts';
import type { ServedLink } from './served-link.ts';

interface ChosenServers {
  /** Links without an end to dial are left out. In the order of the links. */
  readonly served: readonly ServedLink[];
  readonly found: readonly Diagnostic[];
}

interface ServersRequest {
  readonly links: readonly LinkRequest[];
  readonly shortcutOperator: boolean;
  readonly decisions: Decisions;
}

/** The server end of every link. */
export function chooseServers({ links, shortcutOperator, decisions }: ServersRequest): ChosenServers {
  const failed: Failed[] = [];
  const chosen = links.flatMap((link) => {
    const choice = chooseServer(link);
    if ('code' in choice) failed.push({ link, mistake: choice });
    return 'code' in choice ? [] : [{ link, choice }];
  });
  const found = mistakesOf(failed);
  // With the fork's operator the client end decides whether a shortcut is used, so free ends are chosen for it.
  const oriented = shortcutOperator
    ? orientShortcuts(
        chosen
          .filter(({ link }) => link.kind === 'shortcut')
          .map(({ link, choice }) => ({
            id: printLinkId(link.id),
            ends: [link.ends[0].name, link.ends[1].name] as const,
            // An end that already serves stays the server: a change would tear the tunnel down.
            forcedServer: choice.kind === 'fixed' ? choice.server : (keptServer(link, decisions) ?? null),
            preferredServer: choice.server,
          })),
      )
    : new Map<string, string>();
  const served = chosen.map(({ link, choice }): ServedLink => {
    const name = oriented.get(printLinkId(link.id)) ?? choice.server;
    const [a, b] = link.ends;
    return a.name === name ? { link, server: a, client: b } : { link, server: b, client: a };
  });
  return { served, found };
}

interface Failed {
  readonly link: LinkRequest;
  readonly mistake: Diagnostic;
}

/** A hub without an address is one mistake, however many spokes it has. */
function mistakesOf(failed: readonly Failed[]): readonly Diagnostic[] {
  const plain = ({ link }: Failed): boolean => link.hub !== null && link.options === null;
  const byHub = groupBy(failed.filter(plain), ({ link }) => (link.hub ? [link.hub.name] : []));
  const reported = new Set<string>();
  return failed.flatMap((it) => {
    const group = plain(it) && it.link.hub ? (byHub.get(it.link.hub.name) ?? []) : [];
    const hub = it.link.hub;
    if (group.length < 2 || !hub) return [it.mistake];
    if (reported.has(hub.name)) return [];
    reported.add(hub.name);
    return [
      hubWithoutDialableEnd(
        hub,
        group.map((other) => other.link),
      ),
    ];
  });
}

/** The end that has served so far: the one that has a port in the lock. */
function keptServer(link: LinkRequest, decisions: Decisions): string | undefined {
  return link.ends.find((end) => decisionAbout(decisions, { kind: 'port', link: link.id, server: end.name }))?.name;
}
