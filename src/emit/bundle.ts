/** Path below `out/` to text. Folders are separated by `/`; the first part is a cluster's name, or begins with `_`. */
export type Bundle = ReadonlyMap<string, string>;
