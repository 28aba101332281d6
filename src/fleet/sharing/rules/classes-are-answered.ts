import { countOf, firstOf, quoted } from '../../../base/core/words.ts';
import { diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import { DEFAULT_SLICE_CLASS } from '../../../base/releases/slice-class.ts';
import type { SharingRule } from './sharing-rule.ts';
import { subjectsOf } from './subjects-of.ts';

/** How many slices the note names. */
const SHOWN = 3;

/** A reminder, as for templates of others: Liqo answers only slices of its default class, another controller must the rest. */
export const classesAreAnswered: SharingRule = function* ({ model }) {
  const others = model.shares.flatMap((share) =>
    share.slices.filter((it) => it.class !== DEFAULT_SLICE_CLASS).map((slice) => ({ share, slice })),
  );
  const [first] = others;
  if (first === undefined) return;
  const names = others.map(
    ({ share, slice }) =>
      `${quoted(slice.name)} of ${share.consumer.name} from ${share.provider.name} (${slice.class})`,
  );
  const have = others.length === 1 ? 'has a class' : 'have classes';
  yield diagnostic(
    'sharing/class-of-others',
    first.slice.at,
    `${countOf(others.length, 'slice')} ${have} that Liqo does not answer: ${firstOf(names, SHOWN)}`,
    {
      about: subjectsOf(others.map((it) => it.share)),
      hint: 'run a controller in the provider that accepts such slices: until then they have no virtual node',
    },
  );
};
