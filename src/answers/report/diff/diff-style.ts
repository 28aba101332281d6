/** The style of the page. Its policy names this hash, so that a browser uses no other: test/answers/report/diff-page.test.ts has it. */
export const DIFF_STYLE_HASH = 'sha256-233ZHnSVaL5OpLqGiUN/RzT8LkTePb/Za3qQ3S8Bybw=';

/** Colours of both themes have at least the contrast 4.5 of WCAG 2.2, 1.4.3; the signs at the begin of lines say the same. */
export const DIFF_STYLE = `
:root { color-scheme: light dark; --text: #1f2328; --page: #fff; --soft: #59636e; --line: #d1d9e0; --code: #f6f8fa; --link: #0550ae; --add: #dafbe1; --add-text: #0f5323; --del: #ffebe9; --del-text: #82071e; --mark: #0550ae; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --page: #0d1117; --soft: #9198a1; --line: #3d444d; --code: #151b23; --link: #79b8ff; --add: #12361f; --add-text: #aff5b4; --del: #4b1113; --del-text: #ffdcd7; --mark: #79b8ff; } }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 72rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
h1 { font-size: 1.6rem; margin: 0 0 .5rem; }
h2 { display: inline; font-size: 1.2rem; }
h3 { font: 600 .9rem/1.4 ui-monospace, monospace; margin: 1.2rem 0 .4rem; overflow-wrap: anywhere; }
a { color: var(--link); }
table { border-collapse: collapse; margin: 1rem 0; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .25rem .9rem .25rem 0; border-bottom: 1px solid var(--line); }
thead th { color: var(--soft); font-weight: normal; }
details { margin: .8rem 0; }
details.cluster { border-top: 1px solid var(--line); padding-top: .8rem; margin-top: 1.6rem; }
summary { cursor: pointer; color: var(--soft); }
summary h2 { color: var(--text); }
details details { margin-left: 1rem; }
ul { margin: .2rem 0; padding-left: 1.2rem; color: var(--soft); font-size: .9rem; }
.cut { color: var(--soft); font-style: italic; }
pre { margin: .4rem 0; padding: .6rem .8rem; background: var(--code); border: 1px solid var(--line); border-radius: 6px; font: .82rem/1.45 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 4; }
pre code { display: block; font: inherit; }
pre b, ins, del { display: block; padding: 0 .8rem; margin: 0 -.8rem; text-decoration: none; }
pre b { color: var(--mark); font-weight: normal; }
ins { background: var(--add); color: var(--add-text); }
del { background: var(--del); color: var(--del-text); }
@media print { details:not([open])::details-content { content-visibility: visible; block-size: auto; } ins, del { print-color-adjust: exact; } }
`;
