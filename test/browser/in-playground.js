// Functions that tests call in the playground: they edit as a person does, and read what the page shows.
const until = (isThere, what) =>
  new Promise((done, failed) => {
    const start = performance.now();
    const look = () => {
      const found = isThere();
      if (found) done(found);
      else if (performance.now() - start > 20000) failed(new Error(`${what}: ${document.body.innerText}`));
      else setTimeout(look, 5);
    };
    look();
  });

const wordsOf = (it) => (it?.textContent ?? '').replace(/\s+/g, ' ').trim();
const listOf = (selector, below = document) => [...below.querySelectorAll(selector)];
const shadow = () => document.querySelector('#editor').shadowRoot;
const buttonOf = (text) => listOf('.bench button').find((it) => wordsOf(it) === text);

let saved = null;
const toUrl = URL.createObjectURL;
URL.createObjectURL = (blob) => {
  saved = blob;
  return toUrl.call(URL, blob);
};

window.playing = {
  /** Waits until the state has these words. */
  state: (words) => until(() => wordsOf(document.querySelector('.state')).includes(words), words),

  async start(title, name) {
    const select = document.querySelector('.bar select');
    select.value = [...select.options].find((it) => it.text === title).value;
    select.dispatchEvent(new Event('change', { bubbles: true }));
    await until(() => wordsOf(document.querySelector('.name')) === name, name);
    await playing.state('Compiled');
  },

  /** The place behind a text in the editor, to click on. */
  async place(text) {
    const line = await until(() => listOf('.cm-line', shadow()).find((it) => it.textContent.includes(text)), text);
    const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    let left = line.textContent.indexOf(text) + text.length;
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      if (left <= node.data.length) {
        const range = document.createRange();
        range.setStart(node, left - 1);
        range.setEnd(node, left);
        const { right, top, bottom } = range.getBoundingClientRect();
        return { x: right, y: (top + bottom) / 2 };
      }
      left -= node.data.length;
    }
    throw new Error(text);
  },

  tab: (title) =>
    listOf('[role=tab]')
      .find((it) => wordsOf(it) === title)
      .click(),
  /** Waits until the editor has this text. */
  textIs: async (text) => Boolean(await until(() => playing.text().join('\n') === text, text)),
  text: () => listOf('.cm-line', shadow()).map((it) => it.textContent),
  remarks: () => listOf('.bench .remarks > li').map((it) => listOf('p', it).map(wordsOf)),
  /** Waits until exactly this text is marked as a mistake: texts that are not finished are mistakes, too. */
  marks: async (text) => {
    const marked = () => listOf('.cm-lintRange-error', shadow()).map((it) => it.textContent);
    return Boolean(await until(() => marked().join() === text, text));
  },
  offers: async () => {
    await until(() => shadow().querySelector('.cm-tooltip-autocomplete li'), 'offers');
    return listOf('.cm-tooltip-autocomplete .cm-completionLabel', shadow()).map(wordsOf);
  },
  hasOffers: () => shadow().querySelector('.cm-tooltip-autocomplete') !== null,
  /** Pastes over what is selected. */
  paste(text) {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    shadow()
      .querySelector('.cm-content')
      .dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  },
  press: (text) => buttonOf(text).click(),
  /** The page of a code, which opens below its remark. */
  async explained(code) {
    buttonOf(`What ${code} means`).click();
    return wordsOf(await until(() => document.querySelector('.bench .words'), code));
  },

  /** Chooses files of the disk, by their names. */
  async open(json) {
    const chosen = new DataTransfer();
    for (const [name, text] of Object.entries(JSON.parse(json))) chosen.items.add(new File([text], name));
    const input = document.querySelector('.bar input[type=file]');
    input.files = chosen.files;
    input.dispatchEvent(new Event('change', { bubbles: true }));
    await until(() => playing.text().join('\n') === JSON.parse(json)['topology.yaml'], 'the opened text');
  },

  async link() {
    buttonOf('Link').click();
    return (await until(() => document.querySelector('input.link'), 'a link')).value;
  },

  described: async () => wordsOf(await until(() => shadow().querySelector('.cm-words'), 'a description')),
  enabled: (text, is) => until(() => String(!buttonOf(text).disabled) === is, text),
  shows: (words) => until(() => wordsOf(document.querySelector('main')).includes(words), words),
  isEnabled: (text) => !buttonOf(text).disabled,
  header: () => wordsOf(document.querySelector('header')),

  /** The bytes that a button saves, in base64. */
  async save(button) {
    saved = null;
    buttonOf(button).click();
    const bytes = new Uint8Array(await (await until(() => saved, button)).arrayBuffer());
    let text = '';
    for (const it of bytes) text += String.fromCharCode(it);
    return btoa(text);
  },

  /** Every file that differs from the kept state. */
  async changed() {
    location.hash = 'files';
    await until(() => document.querySelector('main .files ul') !== null, 'files');
    return listOf('main .changed li').map(wordsOf);
  },

  async file(path) {
    location.hash = `files=${path}`;
    const section = await until(() => document.querySelector(`main section[aria-label="${path}"]`), path);
    return {
      text: section.querySelector(':scope > pre')?.textContent ?? null,
      diff: listOf('.diff span', section).map((it) => [it.className, it.textContent]),
    };
  },
};
