import type { Fields } from '../objects.ts';

/** Parts of FirewallConfigurations. Source: liqotech/liqo@v1.2.0 apis/networking/v1beta1/firewall. */
export type Match = Fields;

export const address = (position: 'src' | 'dst', value: string, op: 'eq' | 'neq' = 'eq'): Match => ({
  op,
  ip: { position, value },
});

export const device = (position: 'in' | 'out', value: string, op: 'eq' | 'neq' = 'eq'): Match => ({
  op,
  dev: { position, value },
});

const HOOKS = {
  'nat prerouting': -100,
  'nat postrouting': 100,
  'nat postrouting early': 99,
  'filter forward': 0,
  'filter prerouting': 0,
} as const;

/** A chain with the rules of one kind; without rules the field is empty. */
export function chain(name: string, hook: keyof typeof HOOKS, rules: readonly Fields[]): Fields {
  const [type = '', at] = hook.split(' ');
  return {
    name,
    type,
    hook: at,
    policy: 'accept',
    priority: HOOKS[hook],
    rules: rules.length === 0 ? {} : { [`${type}Rules`]: rules },
  };
}

export const table = (name: string, chains: readonly Fields[]): Fields => ({
  table: { name, family: 'IPV4', chains },
});
