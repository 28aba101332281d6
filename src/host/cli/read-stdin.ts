import { diagnostic } from '../../base/diagnostics/diagnostic.ts';
import { failure, type Outcome, outcome } from '../../base/diagnostics/outcome.ts';
import { type Source, startOf } from '../../base/source/source.ts';
import { CommandFailure } from '../front/command-failure.ts';
import type { Host } from '../front/host.ts';

const STDIN = 'stdin';

/** Reads stdin. Input that is not text is a mistake of the user, with a place. */
export async function readStdin(host: Host): Promise<Outcome<Source>> {
  const read = await host.stdin.read();
  const at = startOf({ path: STDIN, text: '' });
  switch (read.kind) {
    case 'ok':
      return outcome({ path: STDIN, text: read.text });
    case 'not-utf8':
      return failure([diagnostic('source/not-text', at, 'stdin is not UTF-8 text')]);
    case 'too-large':
      return failure([diagnostic('source/too-large', at, `stdin has more than ${read.limitBytes} bytes`)]);
    case 'missing':
    case 'is-directory':
      throw new CommandFailure('stdin cannot be read', 'pipe EndpointSlices or addresses into "weft translate"');
    case 'unreadable':
      throw new CommandFailure(`cannot read stdin: ${read.reason}`, read.hint);
  }
}
