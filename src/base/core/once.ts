/** Returns a function that computes its value at the first call and keeps it. */
export function once<T>(compute: () => T): () => T {
  let known: { readonly value: T } | undefined;
  return () => {
    known ??= { value: compute() };
    return known.value;
  };
}

/**
 * A function of an object that computes its value at the first call for each object, and keeps it for as long as the object is in use:
 * what follows from a model, a file or a list, and is asked for again and again.
 */
export function oncePer<Subject extends object, T>(compute: (subject: Subject) => T): (subject: Subject) => T {
  const known = new WeakMap<Subject, { readonly value: T }>();
  return (subject) => {
    const old = known.get(subject);
    if (old !== undefined) return old.value;
    const value = compute(subject);
    known.set(subject, { value });
    return value;
  };
}

/**
 * Like `oncePer`, but keeps only the value for the last object. For objects of which many are used one after the other and each only for a
 * short time: the garbage collector keeps what a `WeakMap` refers to until its next full run.
 */
export function onceForLast<Subject extends object, T>(compute: (subject: Subject) => T): (subject: Subject) => T {
  let last: { readonly subject: Subject; readonly value: T } | undefined;
  return (subject) => {
    if (last?.subject !== subject) last = { subject, value: compute(subject) };
    return last.value;
  };
}

/** A function of a text that computes its value at the first call for each text, and keeps it as long as the function is in use. */
export function oncePerText<T>(compute: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const value = known.get(text) ?? compute(text);
    known.set(text, value);
    return value;
  };
}
