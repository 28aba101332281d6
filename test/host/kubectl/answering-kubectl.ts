import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** The output of a kubectl that ended well, or the error output of one that did not. */
export type KubectlAnswer = { readonly ok: boolean; readonly text: string; readonly note?: string };

/** The answer to the arguments of a call. */
export type Answering = (args: readonly string[]) => KubectlAnswer;

/**
 * The environment of a kubectl that asks this process for its answers: a start of Node for each of them would take longer
 * than all that a test does. The process must not block while kubectl runs.
 */
export function answeringKubectl(answering: Answering): Readonly<Record<string, string>> {
  const server = createServer((socket) => {
    let asked = '';
    socket.on('error', () => {});
    socket.setEncoding('utf8').on('data', (part: string) => {
      asked += part;
      if (!asked.endsWith('\0\0')) return;
      const { ok, text, note = '' } = answering(asked.slice(0, -2).split('\0'));
      socket.end(`${ok ? 0 : 1} ${note}\n${text}`);
    });
  });
  // Without the name of a host, the port is known at once.
  server.listen(0).unref();
  const folder = mkdtempSync(join(tmpdir(), 'weft-kubectl-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const { port } = server.address() as AddressInfo;
  writeFileSync(join(folder, 'kubectl'), scriptFor(port), { mode: 0o755 });
  return { PATH: `${folder}${delimiter}${process.env['PATH'] ?? ''}` };
}

const scriptFor = (port: number): string => `#!/bin/bash
exec 3<>/dev/tcp/127.0.0.1/${port}
printf '%s\\0' "$@" '' >&3
read -r status note <&3
[ -z "$note" ] || echo "$note" >&2
[ "$status" = 0 ] || { cat <&3 >&2; exit "$status"; }
exec cat <&3
`;
