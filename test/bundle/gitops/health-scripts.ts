import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { LiveObject } from './cel.ts';

/** The folder of the health checks for Argo CD. */
export const HEALTH_SCRIPTS = new URL('../../../src/bundle/gitops/health/', import.meta.url);

const LUA = ['lua5.1', 'lua', 'luajit'].find((it) => spawnSync(it, ['-v']).status === 0) ?? 'lua5.1';
export const needsLua = spawnSync(LUA, ['-v']).status !== 0 && !process.env['CI'];

type Health = 'Healthy' | 'Progressing' | 'Degraded';

/** A live object, its expected health in Argo CD, and whether it is current for Flux. */
export interface HealthSample {
  readonly what: string;
  readonly object: LiveObject;
  readonly health: Health;
  readonly message?: string;
}

export const scriptOf = (name: string): string => readFileSync(new URL(`${name}.lua.hbs`, HEALTH_SCRIPTS), 'utf8');

/** Runs a script over objects as Argo CD does: with the base and table libraries only. */
export function runLua(script: string, objects: readonly LiveObject[]): readonly { status: string; message: string }[] {
  const program = `
    local script = ${luaValue(script)}
    for _, obj in ipairs(${luaValue(objects)}) do
      local sandbox = {
        ipairs = ipairs, pairs = pairs, type = type, tostring = tostring, tonumber = tonumber, next = next,
        table = table, obj = obj,
      }
      local chunk = assert(loadstring(script))
      local result = setfenv(chunk, sandbox)()
      io.write(result.status, "\\n", result.message, "\\n")
    end`;
  const { status, stdout, stderr } = spawnSync(LUA, ['-'], { input: program, encoding: 'utf8' });
  expect([status, stderr]).toEqual([0, '']);
  const lines = stdout.split('\n');
  return objects.map((_, i) => ({ status: lines[2 * i] ?? '', message: lines[2 * i + 1] ?? '' }));
}

function luaValue(value: unknown): string {
  if (typeof value === 'string') return `"${value.replace(/[\\"\n]/g, (it) => (it === '\n' ? '\\n' : `\\${it}`))}"`;
  if (Array.isArray(value)) return `{${value.map(luaValue).join(', ')}}`;
  if (typeof value !== 'object' || value === null) return String(value);
  const members = Object.entries(value).map(([key, it]) => `[${luaValue(key)}] = ${luaValue(it)}`);
  return `{${members.join(', ')}}`;
}
