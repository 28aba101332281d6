import { parse } from 'yaml';
import type { Prefix } from '../../src/base/net/prefix.ts';
import { prefixOf } from '../../src/base/net/text.ts';
import type { Bundle } from '../../src/bundle/emit/bundle.ts';

/** The values of the chart, from `helm-values.yaml`. */
export interface InstallValues {
  readonly pools: readonly string[];
  readonly podCIDR?: string;
  readonly podCIDRs?: readonly string[];
  readonly serviceCIDR: string;
  readonly externalCIDR?: string;
  readonly internalCIDR?: string;
  readonly reservedSubnets: readonly string[];
}

/** A Configuration as the bundle has it, with its sync wave. */
export interface AppliedConfiguration {
  readonly peer: string;
  readonly wave: number;
  readonly pods: readonly string[];
  readonly external: string;
}

/** A Network with the answer that the bundle expects. */
export interface ExpectedNetwork {
  readonly peer: string | null;
  /** `pod`, `external`; for the cluster's own `pod-cidr`, `service-cidr`, `external-cidr`, `internal-cidr`, `reserved`. */
  readonly type: string;
  readonly requested: string;
  readonly given: string;
}

export function installValues(bundle: Bundle, cluster: string): InstallValues {
  return parse(bundle.get(`${cluster}/helm-values.yaml`) ?? '').ipam;
}

const documents = (text: string): readonly string[] => text.split(/^---\n/m);

const listAfter = (text: string, key: string): readonly string[] => {
  const block = new RegExp(`^ *${key}:\\n((?: *- \\S+\\n)+)`, 'm').exec(text)?.[1] ?? '';
  return [...block.matchAll(/- (\S+)/g)].map((it) => it[1] as string);
};

export function configurations(bundle: Bundle, cluster: string): readonly AppliedConfiguration[] {
  const folder = `${cluster}/peers/`;
  return [...bundle]
    .filter(([path]) => path.startsWith(folder) && !path.endsWith('kustomization.yaml'))
    .map(([path, text]) => {
      const document = documents(text).find((it) => /^kind: Configuration$/m.test(it)) ?? '';
      return {
        peer: path.split('/')[2] as string,
        wave: Number(/sync-wave: "(-?\d+)"/.exec(document)?.[1]),
        pods: listAfter(document, 'pod'),
        external: listAfter(document, 'external')[0] as string,
      };
    });
}

export function expectedNetworks(bundle: Bundle, cluster: string): readonly ExpectedNetwork[] {
  return documents(bundle.get(`${cluster}/expected/networks.yaml`) ?? '').map((text) => {
    const [requested, given] = [...text.matchAll(/^ {2}cidr: (\S+)$/gm)].map((it) => it[1] as string);
    return {
      peer: /^ {4}liqo\.io\/remote-cluster-id: "?([^"\s]+)"?$/m.exec(text)?.[1] ?? null,
      type: (/(?:cidr-type|network-type): (\S+)$/m.exec(text)?.[1] ?? '') as string,
      requested: requested as string,
      given: given as string,
    };
  });
}

/** A row of `addresses.json`. */
export interface ViewRow {
  readonly cluster: string;
  readonly peer: string;
  readonly kind: 'pod' | 'external';
  readonly cidr: string;
  readonly seenAs: string;
  readonly orderDependent: boolean;
  readonly history: boolean;
}

export interface GatewayRow {
  readonly cluster: string;
  readonly peer: string;
  readonly role: 'server' | 'client';
  readonly address: string;
  readonly port: number;
  readonly mtu: number;
}

export function addressesIn(bundle: Bundle): {
  readonly views: readonly ViewRow[];
  readonly gateways: readonly GatewayRow[];
} {
  return JSON.parse(bundle.get('addresses.json') ?? '');
}

export const networks = (texts: readonly string[]): readonly Prefix[] => texts.map(prefixOf);
