type Environment = Readonly<Record<string, string | undefined>>;

/** What git needs to start, to find the repository, and to trust its owner. SUDO_UID counts as an owner for git. */
const NEEDED: readonly string[] = [
  ...['PATH', 'Path', 'HOME', 'USERPROFILE', 'HOMEDRIVE', 'HOMEPATH', 'XDG_CONFIG_HOME', 'APPDATA', 'SUDO_UID'],
  ...['SYSTEMROOT', 'SystemRoot', 'TMPDIR', 'TEMP', 'TMP', 'LD_LIBRARY_PATH'],
  ...['GIT_DIR', 'GIT_WORK_TREE', 'GIT_COMMON_DIR', 'GIT_OBJECT_DIRECTORY', 'GIT_ALTERNATE_OBJECT_DIRECTORIES'],
  ...['GIT_CEILING_DIRECTORIES', 'GIT_DISCOVERY_ACROSS_FILESYSTEM', 'GIT_EXEC_PATH'],
  ...['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM'],
];

/**
 * The environment of git: an allow-list, so that no token of a job reaches a program that the configuration of a repository may
 * name. git only reads objects that are there: it asks nobody, fetches nothing, takes no lock, and replaces no object by another.
 * Source: git, Documentation/git.txt, "Environment variables".
 */
export const gitEnvironment = (env: Environment): Record<string, string> => ({
  ...Object.fromEntries(NEEDED.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]]))),
  ...trustedFolders(env),
  LC_ALL: 'C',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: '',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_LITERAL_PATHSPECS: '1',
});

/** Of the configuration in the environment, only the folders that git trusts; it may also contain an HTTP header with a token. */
function trustedFolders(env: Environment): Readonly<Record<string, string>> {
  const count = Math.min(Number(env['GIT_CONFIG_COUNT'] ?? '0') || 0, 1000);
  const folders = Array.from({ length: count }, (_, i) => i)
    .filter((i) => env[`GIT_CONFIG_KEY_${i}`]?.toLowerCase() === 'safe.directory')
    .map((i) => env[`GIT_CONFIG_VALUE_${i}`] ?? '');
  return {
    GIT_CONFIG_COUNT: String(folders.length),
    ...Object.fromEntries(
      folders.flatMap((folder, i) => [
        [`GIT_CONFIG_KEY_${i}`, 'safe.directory'],
        [`GIT_CONFIG_VALUE_${i}`, folder],
      ]),
    ),
  };
}
