import type { Diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { Topology } from '../../../base/schema-types/topology.ts';
import type { Reading } from '../../../base/source/reading.ts';
import { readApiServer } from '../read-api-server.ts';
import { readOwnCidr, readReservedCidr } from '../read-cidr.ts';
import { FLEET_POOL } from '../read-cluster.ts';
import { readGateway } from '../read-gateway.ts';
import { readPlatform } from '../read-platform.ts';
import { readPools } from '../read-pools.ts';
import { readRelease } from '../read-release.ts';
import type { Report } from '../report.ts';

/**
 * Errors in settings of the fleet and in `defaults`, also where every cluster replaces them: the next cluster may not.
 * Most of them are also found while the clusters are read.
 */
export function checkReplacedTexts(topology: Reading<Topology>): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  const report: Report = (it) => found.push(it);
  const defaults = topology.at('defaults');
  for (const key of ['podCIDR', 'serviceCIDR', 'reserved', 'externalCIDR', 'internalCIDR'] as const) {
    const read = key === 'reserved' ? readReservedCidr : readOwnCidr;
    for (const it of defaults.at(key).texts() ?? []) {
      if (it.value !== 'auto') read(it, `${key} in \`defaults\``, report);
    }
  }
  const poolsAt = (pools: Reading<string[]>, what: string): void => {
    if (pools.isPresent) readPools({ pools, otherwiseAt: pools.span, what }, report);
  };
  poolsAt(topology.at('ipam').at('pools'), FLEET_POOL);
  poolsAt(defaults.at('ipam').at('pools'), 'a pool in `defaults`');
  readRelease(topology.at('liqo').at('version').scalar(), report);
  readRelease(defaults.at('liqo').at('version').scalar(), report);
  readPlatform(defaults.at('platform').scalar(), 'platform in `defaults`', report);
  readApiServer(defaults.at('apiServer'), 'in `defaults`', report);
  readGateway(defaults.at('gateway'), 'defaults', report);
  return found.filter((it) => it.severity === 'error');
}
