import { parseRemote } from '../../http/parse-remote.ts';
import { CommandFailure } from '../command-failure.ts';

/** The forges that weft knows, as `--forge` names them. Forgejo began as Gitea and kept its API. */
export const FORGE_KINDS = ['github', 'gitlab', 'gitea', 'forgejo'] as const;

export type ForgeKind = (typeof FORGE_KINDS)[number];

/** The variables of the process. */
export type Env = Readonly<Record<string, string | undefined>>;

/**
 * The forge whose CI this is. The runners of Gitea and Forgejo set the variables of GitHub Actions, too, and that of Forgejo sets
 * those of Gitea. Source: gitea.com/gitea/runner v1.0.8 internal/app/run/runner.go; forgejo/runner internal/app/run/runner.go.
 */
export function forgeOfCi(env: Env): ForgeKind | undefined {
  const isSet = (name: string): boolean => env[name] === 'true';
  if (isSet('FORGEJO_ACTIONS')) return 'forgejo';
  if (isSet('GITEA_ACTIONS')) return 'gitea';
  if (isSet('GITLAB_CI')) return 'gitlab';
  return isSet('GITHUB_ACTIONS') ? 'github' : undefined;
}

/** The name of a forge in the name of its server, or a server that everybody knows. */
const HOSTS: readonly (readonly [RegExp, ForgeKind])[] = [
  [/(^|\.)github\./, 'github'],
  [/(^|[.-])gitlab([.:-]|$)/, 'gitlab'],
  [/^codeberg\.org$|(^|[.-])forgejo([.:-]|$)/, 'forgejo'],
  [/(^|[.-])gitea([.:-]|$)/, 'gitea'],
];

/** What the address of a clone shows about its forge; `undefined` for most servers of companies. */
export function forgeOfRemote(url: string): ForgeKind | undefined {
  const host = parseRemote(url)?.host.toLowerCase();
  return host === undefined ? undefined : HOSTS.find(([pattern]) => pattern.test(host))?.[1];
}

interface Signs {
  /** `--forge` */
  readonly given: string | undefined;
  readonly env: Env;
  /** The address that this clone has as origin. It is only asked for when nothing else decides. */
  readonly origin: () => Promise<string | undefined>;
}

export async function chooseForge({ given, env, origin }: Signs): Promise<ForgeKind> {
  const asked = FORGE_KINDS.find((it) => it === given);
  if (given !== undefined && asked === undefined)
    throw new CommandFailure(`"${given}" is not a forge`, `choose one of ${FORGE_KINDS.join(', ')}`);
  const known = asked ?? forgeOfCi(env);
  if (known !== undefined) return known;
  const url = await origin();
  return (url === undefined ? undefined : forgeOfRemote(url)) ?? 'github';
}
