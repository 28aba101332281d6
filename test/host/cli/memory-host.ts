import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import type { Release } from '../../../src/host/app/ci-files.ts';
import { runWeft } from '../../../src/host/cli/run-weft.ts';
import type { ExitCode, Host } from '../../../src/host/front/host.ts';
import { documentFaults } from '../../support/json-documents.ts';

/** A release that a weft may be. */
export const RELEASE: Release = {
  repository: 'acme/weft',
  version: '9.9.9',
  commit: '0123456789abcdef0123456789abcdef01234567',
};

export interface HostSettings {
  readonly env?: Readonly<Record<string, string>>;
  /** The piped input; by default a terminal. */
  readonly stdin?: string;
  readonly stdoutIsTTY?: boolean;
  readonly stderrIsTTY?: boolean;
  /** The width of the terminal on stdout. */
  readonly columns?: number;
  /** The reader of stdout has left. */
  readonly stdoutIsClosed?: boolean;
  /** By default this weft is no release. */
  readonly release?: Release;
}

export interface Answer {
  readonly code: ExitCode;
  readonly stdout: string;
  readonly stderr: string;
}

/** A folder of its own for a test, with files in it; it goes with the test. */
export function workspace(files: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'weft-cli-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  return {
    folder,
    write,
    read: (path: string) => readFileSync(join(folder, path), 'utf8'),
    weft: (...argv: readonly string[]) => weftIn(folder, argv),
    weftWith: (settings: HostSettings, ...argv: readonly string[]) => weftIn(folder, argv, settings),
  };
}

/** Runs weft in this process, with a host in memory. Its JSON must match its schema. */
async function weftIn(cwd: string, argv: readonly string[], settings: HostSettings = {}): Promise<Answer> {
  const { host, said } = memoryHost(cwd, settings);
  const code = await runWeft(argv, host);
  const answer = { code, ...said() };
  if (settings.stdoutIsClosed !== true) expect(documentFaults(argv, answer), argv.join(' ')).toEqual([]);
  return answer;
}

export function memoryHost(cwd: string, settings: HostSettings = {}) {
  const written = { stdout: '', stderr: '' };
  const listeners = new Set<() => void>();
  const output = (name: 'stdout' | 'stderr', isTTY: boolean, closed: boolean) => ({
    isTTY,
    write: async (text: string) => {
      if (!closed) written[name] += text;
      return !closed;
    },
  });
  const host: Host = {
    cwd,
    env: settings.env ?? {},
    version: '9.9.9',
    build: '9.9.9 (01234567)',
    release: settings.release ?? null,
    docs: '/weft/docs',
    readBeside: async (name) => readFileSync(new URL(`../../../dist/${name}`, import.meta.url), 'utf8'),
    pathBeside: (name) => fileURLToPath(new URL(`../../../dist/${name}`, import.meta.url)),
    stdin: {
      isTTY: settings.stdin === undefined,
      read: async () => ({ kind: 'ok', text: settings.stdin ?? '' }),
    },
    stdout: {
      ...output('stdout', settings.stdoutIsTTY ?? false, settings.stdoutIsClosed ?? false),
      columns: settings.columns,
    },
    stderr: output('stderr', settings.stderrIsTTY ?? false, false),
    stdoutTarget: () => ({ kind: 'reader' }),
    onInterrupt: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return { host, said: () => ({ ...written }), interrupt: () => [...listeners].forEach((it) => void it()) };
}

/** Europe, Rome and Milan of DESIGN.md 2, with what keeps it quiet. */
export const TOPOLOGY = `version: 1
name: europe
hub: europe
defaults: { serviceCIDR: 10.96.0.0/12, externalCIDR: auto, reserved: [192.168.10.0/24] }
clusters:
  europe: { podCIDR: 10.200.0.0/16, gateway: 203.0.113.10 }
  rome:   { podCIDR: 10.202.0.0/16 }
  milan:  { podCIDR: 10.202.0.0/16, gateway: 203.0.113.30 }
shortcuts:
  - [rome, milan]
`;
