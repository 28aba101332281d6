import { type ComponentChild, render } from 'preact';
import { App } from './app.tsx';
import { startCompiler } from './client.ts';
import { Failure } from './parts.tsx';

const root = document.getElementById('page');
if (root !== null) {
  // Until then the page shows that it compiles.
  const show = (content: ComponentChild): void => {
    root.replaceChildren();
    render(content, root);
  };
  startCompiler()
    .then(async (ask) => show(<App ask={ask} fleet={await ask('opened', undefined)} />))
    .catch((error: unknown) => show(<Failure error={error} />));
}
