import type { Host, Output } from './host.ts';

/** A host that removes secrets from all output. */
export function redactedHost(host: Host, redact: (text: string) => string): Host {
  const output = (it: Output): Output => ({
    get isTTY() {
      return it.isTTY;
    },
    get columns() {
      return it.columns;
    },
    write: (text) => it.write(redact(text)),
  });
  return { ...host, stdout: output(host.stdout), stderr: output(host.stderr) };
}

/** Removes secrets from an error and its causes before it is printed. */
export function redactError(error: unknown, redact: (text: string) => string): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? redact(error) : error;
  error.message = redact(error.message);
  if (error.stack !== undefined) error.stack = redact(error.stack);
  if ('hint' in error && typeof error.hint === 'string') Object.assign(error, { hint: redact(error.hint) });
  if (error.cause !== undefined) error.cause = redactError(error.cause, redact);
  return error;
}
