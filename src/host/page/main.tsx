import { type ComponentChild, render } from 'preact';
import { App } from './app.tsx';
import { startCompiler } from './client.ts';
import { Failure } from './parts.tsx';
import { printRoute } from './route.ts';

const root = document.getElementById('page');
if (root !== null) {
  // Until then the page shows that it compiles.
  const show = (content: ComponentChild): void => {
    root.replaceChildren();
    render(content, root);
  };
  startCompiler()
    .then(async (ask) => {
      const fleet = await ask('opened', undefined);
      if (location.hash === '' && fleet.without.length > 0) location.replace(printRoute('without', ...fleet.without));
      show(<App ask={ask} fleet={fleet} />);
    })
    .catch((error: unknown) => show(<Failure error={error} />));
}
