/** A reason why kubectl gave no result. `message` is the line of kubectl's output that describes it. */
export type KubectlFailure = {
  readonly kind:
    | 'not-installed'
    | 'no-such-context'
    | 'no-such-kind'
    | 'forbidden'
    | 'not-logged-in'
    | 'unreachable'
    | 'timed-out'
    | 'too-large'
    | 'failed';
  readonly message: string;
};

/**
 * Patterns for kubectl's messages, most of which come from the API server. Source: kubernetes/kubectl and client-go,
 * v1.28 to v1.35.
 */
const KINDS: readonly (readonly [pattern: RegExp, kind: KubectlFailure['kind']])[] = [
  [/context was not found for specified context|context "[^"]*" does not exist/i, 'no-such-context'],
  [/doesn't have a resource type|could not find the requested resource|no matches for kind/i, 'no-such-kind'],
  [/\(Forbidden\)|is forbidden/i, 'forbidden'],
  [
    /\(Unauthorized\)|must be logged in|provide credentials|getting credentials|executable .* not found/i,
    'not-logged-in',
  ],
  [
    /unable to connect|was refused|no such host|i\/o timeout|no route to host|x509|certificate|deadline exceeded/i,
    'unreachable',
  ],
  [/ServiceUnavailable|currently unable to handle|TLS handshake|EOF$/im, 'unreachable'],
];

/** Matches lines of the logger, which repeat an error before kubectl prints it. */
const LOGGED = /^[EIWF]\d{4} /;

/** The failure that kubectl's error output describes. */
export function explainKubectl(stderr: string): KubectlFailure {
  const lines = stderr.split('\n').flatMap((it) => (it.trim() === '' ? [] : [it.trim()]));
  const kind = KINDS.find(([pattern]) => pattern.test(stderr))?.[1] ?? 'failed';
  const pattern = KINDS.find(([, it]) => it === kind)?.[0];
  const own = lines.filter((it) => !LOGGED.test(it));
  const message = own.find((it) => pattern?.test(it)) ?? own[0] ?? lines[0] ?? 'it printed no message';
  return { kind, message: message.replace(/^error: /i, '') };
}
