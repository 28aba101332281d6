/** A command that a step names, with the clusters that it reads. Their contexts are known only where it is printed. */
export type StepCommand =
  /** Commands of weft that read clusters. */
  | { readonly run: 'drift' | 'collect' | 'check-answers' | 'plan'; readonly clusters: readonly string[] }
  /** Waits until objects of a cluster are deleted. */
  | {
      readonly run: 'wait-for-deletion';
      readonly cluster: string;
      /** `null` for objects without a namespace. */
      readonly namespace: string | null;
      /** `deployment/gw-milan` */
      readonly objects: readonly string[];
    };

/** Waits until clusters are as compiled, or names what differs. */
export const untilAsCompiled = (...clusters: readonly string[]): StepCommand => ({ run: 'drift', clusters });

export const untilDeleted = (
  cluster: string,
  namespace: string | null,
  ...objects: readonly string[]
): StepCommand => ({
  run: 'wait-for-deletion',
  cluster,
  namespace,
  objects,
});
