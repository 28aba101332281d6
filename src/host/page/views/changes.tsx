import type { AnswerTo } from '../answers.ts';
import { Coded } from '../markdown.tsx';
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
  return (
    <>
      <p class="lead">{plan.line.replace(/^Plan: /, '')}</p>
      {!plan.empty && (
        <div class="sides">
          <Side title={`Before (${base})`} side="before" />
          <Side title="After" side="after" />
        </div>
      )}
      <Table
        caption="Changes"
        rows={plan.changes}
        empty="Nothing changes."
        textOf={(it) => `${it.text} ${it.why}`}
        columns={[
          { title: 'Change', cell: (it) => it.text },
          {
            title: 'Flows',
            cell: (it) => (it.disruptive ? <strong class="bad">{it.why}</strong> : it.why),
          },
        ]}
      />
      {plan.steps.length > 0 && (
        <Table
          caption="What people do"
          rows={plan.steps}
          columns={[
            { title: 'When', cell: (it) => it.when },
            { title: 'What', cell: (it) => <Coded text={it.what} /> },
            { title: 'On', cell: (it) => it.on.join(', ') },
            {
              title: 'Commands',
              cell: (it) =>
                it.commands.map((line) => (
                  <div key={line}>
                    <code>{line}</code>
                  </div>
                )),
            },
          ]}
        />
      )}
    </>
  );
}

interface SideProps {
  readonly title: string;
  readonly side: 'before' | 'after';
}

/** The clusters and links that change, as they are on one side. */
function Side({ title, side }: SideProps) {
  const drawn = useAnswer('map', { viewer: null, near: [], side, without: [] });
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      <Answered asked={drawn}>
        {(drawing) => <Picture drawing={drawing} label={`${title}: ${drawing.summary}`} chosen={null} />}
      </Answered>
    </section>
  );
}
