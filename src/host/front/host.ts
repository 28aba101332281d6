import type { ReadResult } from '../disk/read-text-file.ts';
import type { StreamTarget } from '../disk/stream-target.ts';

/** The process as a command sees it. Tests replace it. */
export interface Host {
  /** Absolute. Paths that a user gives are relative to it. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Of weft, for programs: `0.1.0`. */
  readonly version: string;
  /** The same for people, with the commit that it was built from where it is known: `0.1.0 (711d3be7)`. */
  readonly build: string;
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  /** What stdout leads to, if it is no terminal. */
  readonly stdoutTarget: () => StreamTarget;
  /** Calls the listener when the user interrupts; the result removes it. */
  readonly onInterrupt: (listener: () => void) => () => void;
}

interface Input {
  /** True for a terminal, where a person would have to type the input. */
  readonly isTTY: boolean;
  /** The whole input as text, up to a number of bytes. May be called once. */
  readonly read: (limitBytes?: number) => Promise<ReadResult>;
}

export interface Output {
  readonly isTTY: boolean;
  /** Cells of a line of the terminal; `undefined` for a file or a pipe, whose lines may be of any length. */
  readonly columns?: number | undefined;
  /** Resolves when the text has left the process: true, or false if the reader has closed the stream. */
  readonly write: (text: string) => Promise<boolean>;
}

/** Exit codes of DESIGN.md 5. */
export const EXIT = {
  /** Yes, or done. */
  yes: 0,
  /** The answer is no. */
  no: 1,
  /** No answer: misuse, or a failure of the environment. */
  unable: 2,
  /** A bug of weft. */
  bug: 3,
  /** Stopped by SIGINT: 128 and the signal's number. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
