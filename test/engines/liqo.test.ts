import { ENGINES } from './support/engines.ts';
import { liqoLoop } from './support/liqo-loop.ts';
import { LIQO_RELEASES, type LiqoMinor } from './support/programs.ts';

for (const release of Object.keys(LIQO_RELEASES) as LiqoMinor[])
  for (const engine of ENGINES) liqoLoop({ release, engine });
