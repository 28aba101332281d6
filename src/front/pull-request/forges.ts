import { connectGitea } from '../../gitea/connect-gitea.ts';
import { connectGitHub } from '../../github/connect-github.ts';
import type { ConnectForge } from '../../http/connect-forge.ts';
import { CommandFailure } from '../command-failure.ts';
import { systemClock } from '../system-clock.ts';
import { type ActionsContext, actionsContext } from './actions-context.ts';
import { type ForgeKind, forgeOfCi } from './forge-kind.ts';
import { giteaContext } from './gitea-context.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** What `weft pr` has to know about one forge. */
interface ForgeFront {
  readonly connect: () => ConnectForge;
  /** What the CI provides about the run. */
  readonly context: (env: Env, origin: () => Promise<string | undefined>) => Promise<ActionsContext>;
  readonly name: string;
  /** The variable that names the server where no CI does. */
  readonly serverVariable: string;
  /** Variables with a token, the one to use first. */
  readonly tokens: (env: Env) => readonly string[];
}

/** A job of Gitea has its token under the name of GitHub's. Elsewhere, a token of that name is for GitHub, and goes to no other. */
const ofGitea =
  (...names: readonly string[]) =>
  (env: Env): readonly string[] =>
    inGitea(env) ? [...names, 'GITHUB_TOKEN'] : names;

const inGitea = (env: Env): boolean => ['gitea', 'forgejo'].includes(forgeOfCi(env) ?? '');

export const FORGES: Readonly<Record<ForgeKind, ForgeFront>> = {
  github: {
    name: 'GitHub',
    serverVariable: 'GITHUB_API_URL',
    connect: () => connectGitHub(systemClock),
    context: actionsContext,
    tokens: (env) => (inGitea(env) ? ['WEFT_TOKEN', 'GH_TOKEN'] : ['WEFT_TOKEN', 'GITHUB_TOKEN', 'GH_TOKEN']),
  },
  gitea: {
    name: 'Gitea',
    serverVariable: 'GITEA_SERVER_URL',
    connect: () => connectGitea('Gitea', systemClock),
    context: (env, origin) => giteaContext('gitea', env, origin),
    tokens: ofGitea('WEFT_TOKEN', 'GITEA_TOKEN'),
  },
  forgejo: {
    name: 'Forgejo',
    serverVariable: 'FORGEJO_SERVER_URL',
    connect: () => connectGitea('Forgejo', systemClock),
    context: (env, origin) => giteaContext('forgejo', env, origin),
    tokens: ofGitea('WEFT_TOKEN', 'FORGEJO_TOKEN', 'GITEA_TOKEN'),
  },
};

/** Tokens of the environment, for one forge, the one to use first. Never an option: command lines are visible to every process, and logged. */
export const tokensFor = (kind: ForgeKind, env: Env): readonly string[] =>
  FORGES[kind].tokens(env).flatMap((name) => env[name]?.trim() || []);

/** What must not be printed, whatever the forge is. */
export const allTokens = (env: Env): readonly string[] =>
  ['WEFT_TOKEN', 'GITHUB_TOKEN', 'GH_TOKEN', 'GITEA_TOKEN', 'FORGEJO_TOKEN'].flatMap((it) => env[it]?.trim() || []);

/** Hints name the variables of GitHub; those of another forge have other names. */
export function inForgeWords(kind: ForgeKind, words: (text: string) => string): (text: string) => string {
  const variable = FORGES[kind].tokens({})[1] ?? 'WEFT_TOKEN';
  return (text) => words(text).replaceAll('WEFT_TOKEN or GITHUB_TOKEN', `WEFT_TOKEN or ${variable}`);
}

export function unknownServer(kind: ForgeKind): never {
  const { name, serverVariable } = FORGES[kind];
  throw new CommandFailure(`the address of ${name} is not known`, `set ${serverVariable} to it, with https://`);
}
