import type { AnswerTo } from '../answers.ts';
import { Coded, Markdown } from '../markdown.tsx';
import { Answered, useAnswer } from '../parts.tsx';
import { printRoute } from '../route.ts';

type Remark = AnswerTo<'remarks'>[number];

/** Errors, warnings and notes about the fleet, each with its page: `#warnings=ipam/shortcut-services`. */
export function WarningsView({ parts: [named] }: { readonly parts: readonly string[] }) {
  return (
    <Answered asked={useAnswer('remarks', undefined)}>
      {(all) => {
        const [open, accepted] = [
          all.filter((it) => it.accepted.length === 0),
          all.filter((it) => it.accepted.length > 0),
        ];
        return (
          <>
            {open.length === 0 && <p class="lead">weft has no open remarks about this fleet.</p>}
            <Remarks of={open} named={named} />
            {accepted.length > 0 && (
              <>
                <h2>Accepted by the topology</h2>
                <Remarks of={accepted} named={named} />
              </>
            )}
          </>
        );
      }}
    </Answered>
  );
}

const Remarks = ({ of, named }: { readonly of: readonly Remark[]; readonly named: string | undefined }) => (
  <ul class="remarks">
    {of.map((it) => (
      <li key={`${it.code} ${it.file} ${it.line} ${it.column} ${it.message}`}>
        <p>
          <span class={`severity ${it.severity}`}>{it.severity}</span> <Coded text={it.message} />
        </p>
        {it.hint !== null && (
          <p class="quiet">
            <Coded text={it.hint} />
          </p>
        )}
        {it.accepted.map(({ reason }) => (
          <p key={reason} class="quiet">
            Accepted: {reason}
          </p>
        ))}
        <p class="quiet">
          <code>
            {it.file}:{it.line}
          </code>
        </p>
        <details
          open={it.code === named}
          onToggle={({ currentTarget }) => {
            if (currentTarget.open && it.code !== named)
              history.replaceState(null, '', printRoute('warnings', it.code));
          }}
        >
          <summary>
            What <code>{it.code}</code> means
          </summary>
          <Page code={it.code} />
        </details>
      </li>
    ))}
  </ul>
);

const Page = ({ code }: { readonly code: string }) => (
  <Answered asked={useAnswer('explained', { code })}>
    {(page) => page !== null && <Markdown text={page.replace(/^# .*\n+/, '')} />}
  </Answered>
);
