import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { workspace } from './memory-host.ts';

const WEFT = fileURLToPath(new URL('../../../dist/weft.cjs', import.meta.url));

type Workspace = ReturnType<typeof workspace>;
type Shell = 'bash' | 'fish' | 'zsh';

/** In CI every shell must be there, so a test is left out only elsewhere. */
export const isMissing = (shell: Shell): boolean => spawnSync(shell, ['-c', '']).status !== 0 && !process.env['CI'];

/** The real shell's offers for a line, in the folder of a fleet, with `weft` in its path and our script loaded. */
export async function offered(shell: Shell, line: string, { folder, weft }: Workspace): Promise<readonly string[]> {
  const bin = join(folder, '.bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'weft'), `#!/bin/sh\nexec '${process.execPath}' '${WEFT}' "$@"\n`);
  chmodSync(join(bin, 'weft'), 0o755);
  writeFileSync(join(bin, 'script'), (await weft('completion', shell)).stdout);
  writeFileSync(join(bin, 'setup'), ZSH_SETUP);
  const [program, ...args] = COMMANDS[shell](line);
  const printed = execFileSync(program, args, {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PATH: `${bin}:${process.env['PATH'] ?? ''}`, HOME: bin },
  });
  // fish adds a description after a tab.
  return printed.split('\n').flatMap((it) => it.split('\t')[0] || []);
}

type CommandLine = readonly [program: string, ...args: readonly string[]];

const COMMANDS: Readonly<Record<Shell, (line: string) => CommandLine>> = {
  bash: (line) => ['bash', '--norc', '-c', bashScript(line)],
  fish: (line) => ['fish', '--no-config', '-c', `source .bin/script; complete -C ${quoted(line)}; true`],
  zsh: (line) => ['zsh', '-f', '-c', zshScript(line)],
};

/** Calls the function of a completion like an interactive shell. Bash splits words at = and :, see COMP_WORDBREAKS. */
function bashScript(line: string): string {
  const words = line.split(/ |(?<=[=:])|(?=[=:])/);
  return `
    source .bin/script
    COMP_WORDS=(${words.map(quoted).join(' ')})
    COMP_CWORD=${words.length - 1}
    COMP_LINE=${quoted(line)}
    COMP_POINT=${line.length}
    _weft
    printf '%s\\n' "\${COMPREPLY[@]}"`;
}

/** Types the line and a tab into an interactive shell at a terminal, where every match is also written to a file. */
const zshScript = (line: string): string => `
  zmodload zsh/zpty
  zpty -b typed zsh -f -i
  zpty -w typed 'source .bin/setup'
  for ((i = 0; i < 200; i++)); do [[ -e .bin/ready ]] && break; sleep 0.05; done
  zpty -w -n typed ${quoted(line)}$'\\t'
  for ((i = 0; i < 200; i++)); do [[ -e .bin/done ]] && break; sleep 0.05; done
  zpty -d typed
  [[ ! -e .bin/matches ]] || cat .bin/matches
  rm -f .bin/ready .bin/done .bin/matches`;

const ZSH_SETUP = `
autoload -U compinit; compinit -u -D
source .bin/script
compadd() {
  local -a hits
  if [[ " $* " != *' -'[OAD]' '* ]]; then
    builtin compadd -A hits "$@"
    print -rl -- $IPREFIX$^hits >> .bin/matches
  fi
  builtin compadd "$@"
}
finish() { : > .bin/done; }
comppostfuncs=(finish)
: > .bin/ready
`;

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
