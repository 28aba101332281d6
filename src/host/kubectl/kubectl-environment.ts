type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Tokens that weft itself uses, and those of a job of GitHub Actions. kubectl and the plugins that log in need none of them. Those of
 * GitLab stay: `glab cluster agent get-token`, which kubectl runs for clusters with its agent, logs in with them.
 */
const WITHHELD =
  /^(?:WEFT_TOKEN|GITHUB_TOKEN|GH_TOKEN|GITEA_TOKEN|FORGEJO_TOKEN|ACTIONS_RUNTIME_TOKEN|ACTIONS_CACHE_.*)$/i;

/**
 * The environment of kubectl. The plugins that log in to a managed cluster read variables of their own, so this is no
 * allow-list. The user's preferences for kubectl could change what `get` prints, so they do not count.
 * Source: kubernetes, "Kubectl user preferences (kuberc)".
 */
export function kubectlEnvironment(env: Environment): Record<string, string> {
  const kept = Object.entries(env).flatMap(([name, value]) =>
    value === undefined || WITHHELD.test(name) ? [] : [[name, value]],
  );
  return { ...Object.fromEntries(kept), KUBECTL_KUBERC: 'false', KUBERC: 'off' };
}
