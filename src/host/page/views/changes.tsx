import type { AnswerTo } from '../answers.ts';
import { Answered, Table, useAnswer, useSurroundings } from '../parts.tsx';
import { Picture } from '../picture.tsx';

type Plan = NonNullable<AnswerTo<'changes'>>;

/** The changes since the base, as `weft plan` reports them. */
export function ChangesView() {
  const { fleet } = useSurroundings();
  const plan = useAnswer('changes', undefined);
  if (fleet.base === null) return <p>The page was made without a base: weft report --base REF.</p>;
  return (
    <Answered asked={plan}>
      {(it) =>
        it === null ? (
          <p>The topology at {fleet.base} does not compile, so nothing is compared.</p>
        ) : (
          <Changes plan={it} base={fleet.base ?? ''} />
        )
      }
    </Answered>
  );
}

function Changes({ plan, base }: { readonly plan: Plan; readonly base: string }) {
  const drawn = useAnswer('map', { viewer: null, near: [], changes: true });
  return (
    <>
      <p class="lead">
        Since {base}: {plan.line}
      </p>
      {!plan.empty && (
        <Answered asked={drawn}>
          {(drawing) => <Picture drawing={drawing} label={`Map of the changes: ${drawing.summary}`} chosen={null} />}
        </Answered>
      )}
      <Table
        caption="Changes"
        rows={plan.changes}
        empty="Nothing changes."
        textOf={(it) => `${it.text} ${it.why}`}
        columns={[
          { title: 'Change', cell: (it) => it.text },
          { title: 'Before', cell: (it) => sideOf(it, 'from') },
          { title: 'After', cell: (it) => sideOf(it, 'to') },
          {
            title: 'Flows',
            cell: (it) => (it.disruptive ? <strong class="bad">breaks: {it.why}</strong> : `keeps: ${it.why}`),
          },
        ]}
      />
      {plan.steps.length > 0 && (
        <Table
          caption="What people do"
          rows={plan.steps}
          columns={[
            { title: 'When', cell: (it) => it.when },
            { title: 'What', cell: (it) => it.what },
            { title: 'On', cell: (it) => it.on.join(', ') },
          ]}
        />
      )}
    </>
  );
}

/** The value before or after a change that has both. */
function sideOf(change: Plan['changes'][number], side: 'from' | 'to'): string {
  const value: unknown = (change as Readonly<Record<string, unknown>>)[side];
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
