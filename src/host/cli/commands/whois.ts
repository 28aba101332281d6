import { gitSaysOfWhois } from '../../../answers/report/git-says.ts';
import { whoisAnswer } from '../../../answers/report/whois.ts';
import { readWhoisAddress } from '../../../reach/whois/whois.ts';
import { whoisAddress } from '../../app/whois-address.ts';
import { isTopologyPath, liveRequest } from '../../front/argument-values.ts';
import { CommandFailure } from '../../front/command-failure.ts';
import type { ExitCode, Host } from '../../front/host.ts';
import { aboutLive, readingClusters, show } from '../../front/show.ts';
import type { Call } from '../options-of.ts';

/** `weft whois [topology] ADDRESS`: finds the owners of an address. The answer is no when no cluster has one. */
export async function whoisCommand(host: Host, { args, options }: Call<'whois'>): Promise<ExitCode> {
  const request = { ...readArguments(args), lock: options.lock, within: options.in, live: liveRequest(options) };
  const result = await readingClusters(host, options, (ports) => whoisAddress(ports, request));
  return show(host, options, whoisAnswer, result, (found) => {
    const { whois, live, inGit, faults } = found;
    const seen = new Set([
      ...faults.map((it) => `${it.cluster}/${it.peer}`),
      ...whois.answers.flatMap(({ cluster, uses }) =>
        uses.flatMap((it) => (it.kind === 'seen' ? [`${cluster}/${it.peer}`] : [])),
      ),
    ]);
    const owners = new Set(whois.answers.flatMap(({ cluster, uses }) => (uses.length > 0 ? [cluster] : [])));
    return {
      ...found,
      ok: whois.gateways.length > 0 || whois.answers.some((it) => it.uses.length > 0),
      ...aboutLive(live, {
        isAbout: ({ cluster, peer }) =>
          peer === null ? owners.has(cluster) : seen.has(`${cluster}/${peer}`) || seen.has(`${peer}/${cluster}`),
        gitSays: inGit === null ? [] : gitSaysOfWhois(whois, inGit),
      }),
    };
  });
}

const USAGE = 'weft whois [topology] ADDRESS [--in CLUSTER]';

/** Reads the arguments; the topology is optional and recognised as a path, before or after the address. */
function readArguments(args: readonly string[]): { readonly topology: string | undefined; readonly address: number } {
  const at = isTopologyPath(args[0]) ? 0 : isTopologyPath(args.at(-1)) ? args.length - 1 : -1;
  const [text, ...rest] = args.filter((_, index) => index !== at);
  if (text === undefined) throw new CommandFailure('missing argument ADDRESS', USAGE);
  if (rest.length > 0) throw new CommandFailure(`too many arguments: ${rest.join(' ')}`, USAGE);
  return { topology: args[at], address: addressOf(text) };
}

function addressOf(text: string): number {
  const reading = readWhoisAddress(text);
  if (!reading.ok) throw new CommandFailure(reading.problem, reading.hint ?? USAGE);
  return reading.address;
}
