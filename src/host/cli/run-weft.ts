import type { ExitCode, Host } from '../front/host.ts';
import { runProgram } from './run-program.ts';

/** Runs one command line (without node and the script) and returns its exit code. Throws nothing. */
export async function runWeft(argv: readonly string[], host: Host): Promise<ExitCode> {
  try {
    return await runProgram(host, argv);
  } catch (error) {
    const settings = { color: colourAsked(argv), debug: argv.includes('--debug'), json: asksForJson(argv) };
    // Loaded here, because most command lines do not fail.
    const { misuse } = await import('./misuse.ts');
    const { printFailure } = await import('../front/print-failure.ts');
    return printFailure(host, misuse(error, argv), settings);
  }
}

/** The command line may be invalid, so this reads its words only. */
function asksForJson(argv: readonly string[]): boolean {
  return argv.some(
    (it, i) => ['-ojson', '--output=json'].includes(it) || (['-o', '--output'].includes(it) && argv[i + 1] === 'json'),
  );
}

function colourAsked(argv: readonly string[]): string | undefined {
  const at = argv.indexOf('--color');
  return at === -1 ? argv.find((it) => it.startsWith('--color='))?.slice('--color='.length) : argv[at + 1];
}
