import { spawn } from 'node:child_process';

/** A git process that stays and answers one question after the other: a start takes longer than a thousand answers. */
export interface GitServant {
  readonly ask: (question: string) => Promise<Buffer>;
  readonly close: () => void;
}

/** The length of the next answer in the buffer; `null` while it is not complete. */
export type AnswerEnd = (buffer: Buffer) => number | null;

interface Waiting {
  readonly resolve: (answer: Buffer) => void;
  readonly reject: (error: Error) => void;
}

interface Start {
  readonly folder: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly endOf: AnswerEnd;
}

/** The process starts with the first question: most tests ask only a few of them. */
export function startServant(start: Start): GitServant {
  let running: GitServant | null = null;
  return {
    ask: (question) => {
      running ??= spawned(start);
      return running.ask(question);
    },
    close: () => running?.close(),
  };
}

function spawned({ folder, args, env, endOf }: Start): GitServant {
  const git = spawn('git', args, { cwd: folder, env, stdio: ['pipe', 'pipe', 'pipe'] });
  const waiting: Waiting[] = [];
  let buffer = Buffer.alloc(0);
  let complaint = '';
  git.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaint += text;
  });
  git.stdout.on('data', (bytes: Buffer) => {
    buffer = Buffer.concat([buffer, bytes]);
    for (let end = endOf(buffer); end !== null && waiting.length > 0; end = endOf(buffer)) {
      waiting.shift()?.resolve(buffer.subarray(0, end));
      buffer = buffer.subarray(end);
    }
  });
  const fail = (): void => {
    for (const { reject } of waiting.splice(0)) reject(new Error(`git ${args.join(' ')}: ${complaint}`));
  };
  git.on('close', fail);
  git.on('error', fail);
  // A question to a process that has just ended; `close` rejects the waiting calls.
  git.stdin.on('error', () => {});
  return {
    ask: (question) =>
      new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        git.stdin.write(question);
      }),
    close: () => git.stdin.end(),
  };
}

export function lineEnd(buffer: Buffer): number | null {
  const newline = buffer.indexOf(0x0a);
  return newline < 0 ? null : newline + 1;
}

/** `cat-file --batch`: a line with id, type and size, then that many bytes and a newline; one line when there is none. */
export function objectEnd(buffer: Buffer): number | null {
  const head = lineEnd(buffer);
  if (head === null) return null;
  const size = / (\d+)\n$/.exec(buffer.toString('latin1', 0, head))?.[1];
  const end = size === undefined ? head : head + Number(size) + 1;
  return buffer.length < end ? null : end;
}
