import { join } from 'node:path';
import { CommandFailure } from '../../front/command-failure.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The modes of `weft pr`, in the order in which they make sense. */
const MODES = ['check', 'comment', 'open'] as const;

/** Inputs that are options of `weft pr` under the same name. */
const OPTIONS = [
  'repository',
  'pull-request',
  'into',
  'branch',
  'author',
  'base',
  'out',
  'lock',
  'max-removed',
] as const;
const SWITCHES = ['current', 'allow-destroy', 'force'] as const;

/** The command lines that an Action's inputs stand for, one a mode. */
export function actionCalls(env: Env): readonly (readonly string[])[] {
  const asked = (input(env, 'mode') ?? 'check').split(/[\s,]+/).filter((it) => it !== '');
  const unknown = asked.find((it) => !MODES.some((mode) => mode === it));
  if (unknown !== undefined) throw new CommandFailure(`mode takes ${MODES.join(', ')}, not "${unknown}"`);
  const topology = input(env, 'topology');
  const rest = [
    ...OPTIONS.flatMap((name) => {
      const value = input(env, name);
      // In one word, so that a value that begins with a dash stays a value.
      return value === undefined ? [] : [`--${name}=${value}`];
    }),
    ...SWITCHES.filter((name) => isOn(env, name)).map((name) => `--${name}`),
    `--plan-json=${input(env, 'plan-json') ?? join(env['RUNNER_TEMP'] ?? '.', 'weft-plan.json')}`,
    ...(topology === undefined ? [] : ['--', topology]),
  ];
  return MODES.filter((mode) => asked.includes(mode)).map((mode) => ['pr', mode, ...rest]);
}

/** Hyphens stay in the name. Source: actions/toolkit packages/core/src/core.ts (getInput). */
export function input(env: Env, name: string): string | undefined {
  const value = env[`INPUT_${name.toUpperCase()}`]?.trim();
  return value === '' ? undefined : value;
}

function isOn(env: Env, name: string): boolean {
  const value = input(env, name) ?? 'false';
  if (/^(true|false)$/i.test(value)) return value.toLowerCase() === 'true';
  throw new CommandFailure(`${name} takes true or false, not "${value}"`);
}
