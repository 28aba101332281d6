// Functions that tests call in the page of `weft report`: they go to a view as a link does, and read what it shows.
const settled = (isThere) =>
  new Promise((done, failed) => {
    const start = performance.now();
    const look = () => {
      if (isThere() && document.querySelector('main .waiting') === null) done();
      else if (performance.now() - start > 20000)
        failed(new Error(`${location.hash} shows ${document.body.innerText}`));
      else setTimeout(look, 1);
    };
    look();
  });

const textOf = (it) => (it?.textContent ?? '').replace(/\s+/g, ' ').trim();

const all = (selector, below = document) => [...below.querySelectorAll(selector)];

const rowsOf = (table) => all('tbody tr', table).map((row) => all('td', row).map(textOf));

const go = async (hash, isThere = () => true) => {
  location.hash = hash;
  await new Promise((done) => setTimeout(done, 0));
  await settled(isThere);
};

const fieldOf = (name) => document.querySelector(`form [name=${name}]`)?.value;

window.shown = {
  go,
  tables: () => all('main table').map(rowsOf),
  texts: (selector) => all(selector).map(textOf),

  /** The words and the hops of walks between pairs of ends. */
  async walks(pairs) {
    const found = [];
    for (const [from, to, ...off] of pairs) {
      await go(
        `trace=${[from, to, ...off].join()}`,
        () => fieldOf('from') === from && fieldOf('to') === to && document.querySelector('.verdict') !== null,
      );
      const walk = document.querySelector('main section');
      found.push({
        verdict: textOf(document.querySelector('.verdict')),
        title: textOf(walk.querySelector('h2')),
        remarks: all('[role=status] p:not(.verdict)', walk).map(textOf),
        hops: all('table', walk).map(rowsOf),
      });
    }
    return found;
  },

  async pairs() {
    await go('trace', () => document.querySelector('main section') !== null);
    const titles = all('.matrix thead th').map(textOf);
    return all('.matrix tbody tr').flatMap((row) =>
      all('td', row).map((it, i) => [textOf(row.querySelector('th')), titles[i + 1], textOf(it)]),
    );
  },

  /** The rows of the parts that can fail. */
  async failures() {
    await go('without', () => document.querySelector('main table') !== null);
    return rowsOf(all('main table').at(-1));
  },

  /** The first sentence about a fleet without a part. */
  async without(part) {
    await go(
      `without=${part}`,
      () => textOf(document.querySelector('.chips')) === `${part} ×` && document.querySelector('main [role=status] p'),
    );
    return textOf(document.querySelector('main [role=status] p'));
  },

  /** The networks in the rows of peers, as a cluster sees them. */
  async view(cluster) {
    await go(`eyes=${cluster}`, () => document.querySelector('.field select')?.value === cluster);
    return {
      boxes: all('.picture a').map((it) => it.getAttribute('aria-label')),
      tables: all('main table').map((table) =>
        all('tbody tr', table).map((row) =>
          all('td', row).map((cell) =>
            all('.seen', cell).length > 0 ? all('.seen', cell).map((it) => all('code', it).map(textOf)) : textOf(cell),
          ),
        ),
      ),
    };
  },
};
