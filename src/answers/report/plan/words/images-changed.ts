import { listOf } from '../../../../base/core/words.ts';
import type { Difference } from '../../../../plan/difference.ts';
import type { ChangeWords } from '../change-words.ts';
import { insteadOf } from './plain-words.ts';

export const imagesChangedWords: ChangeWords<'images-changed'> = {
  section: 'Gateways',
  title: (it) => `the gateways of ${it.cluster} run ${insteadOf({ from: textOf(it.from), to: textOf(it.to) }, OWN)}`,
  why: {
    'gateways-run-them':
      'gateways have NET_ADMIN and the private keys of their tunnels: whoever can publish these images has both',
  },
  steps: {
    'check-the-images': {
      what: 'make sure that these images are meant, and who can publish there',
      on: ({ cluster, to }: Difference<'images-changed'>) => `${cluster}: ${textOf(to) ?? OWN}`,
    },
  },
};

const OWN = "the images of Liqo's release";

/** A registry has all images of a gateway under one tag, unless somebody has edited a template. */
const textOf = (images: readonly string[]): string | null =>
  listOf([
    ...new Set(
      images.map((it) => it.replace(/^(.+?)\/gateway(?:\/[a-z]+)?:([^/@]+)$/, 'the images of $1 with tag $2')),
    ),
  ]) || null;
