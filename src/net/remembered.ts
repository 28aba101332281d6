/** How many answers are kept; what a fleet repeats in every cluster is far less than that. */
const KEPT = 50_000;

/** A pure function that remembers its answers: ip-num goes through big integers, and a fleet says the same networks often. */
export function remembered<Question extends string | number, Answer>(
  answer: (question: Question) => Answer,
): (question: Question) => Answer {
  const known = new Map<Question, Answer>();
  return (question) => {
    const old = known.get(question);
    if (old !== undefined) return old;
    if (known.size >= KEPT) known.clear();
    const fresh = answer(question);
    known.set(question, fresh);
    return fresh;
  };
}
