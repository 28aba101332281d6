import type { ReadResult } from '../disk/read-text-file.ts';

/** What a command may know of the process around it. Tests bring one of their own. */
export interface Host {
  /** Absolute. Every path that a user gives is meant from here. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Of weft. */
  readonly version: string;
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  /** Calls back when the user asks to stop; gives what takes the listener off again. */
  readonly onInterrupt: (listener: () => void) => () => void;
}

export interface Input {
  /** True when a person would have to type what is read. */
  readonly isTTY: boolean;
  /** All of it, as text. To be called once. */
  readonly read: () => Promise<ReadResult>;
}

export interface Output {
  readonly isTTY: boolean;
  /** Resolves when the text has left the process: true, or false when nobody reads any more. */
  readonly write: (text: string) => Promise<boolean>;
}

/** Exit codes of DESIGN.md 5. */
export const EXIT = {
  /** Yes, or done. */
  yes: 0,
  /** The answer is no. */
  no: 1,
  /** Could not answer: misuse, or the outside world. */
  unable: 2,
  /** A fault of weft's. */
  bug: 3,
  /** Stopped by SIGINT: 128 and the signal's number. */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
