import type { TextFormat } from './text-format.ts';

const HOST = /^[A-Za-z0-9]([-A-Za-z0-9.]*[A-Za-z0-9])?(:\d{1,5})?$/;
const FOLDER = /^[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*$/;

/** Longest name of a repository of images in characters, without its tag; weft appends `/gateway/wireguard`. */
const LONGEST = 255 - '/gateway/wireguard'.length;

/**
 * Where images are: a host with or without a port, then folders.
 * Source: distribution/reference@v0.6.0 regexp.go, and the limit in reference.go.
 */
export const IMAGE_REGISTRY: TextFormat = {
  code: 'topology/wrong-value',
  noun: 'a registry with folders',
  hintFor: (text) => {
    if (/^[a-z]+:\/\//i.test(text)) return 'remove the scheme: write it like registry.example.com/liqo';
    if (text.endsWith('/')) return 'remove the slash at the end';
    if (text.length > LONGEST) return `use at most ${LONGEST} characters`;
    const [host = '', ...folders] = text.split('/');
    // Without a dot or a port, the first part is a folder of the default registry.
    const isHost = /[.:]/.test(host) || host === 'localhost';
    if ((isHost ? HOST : FOLDER).test(host) && folders.every((it) => FOLDER.test(it))) return undefined;
    return 'write a host and folders in lower-case letters, like registry.example.com/liqo';
  },
};
