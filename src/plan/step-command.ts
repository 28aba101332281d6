/** A command that a step names, with the clusters that it reads. Their contexts are known only where it is printed. */
export type StepCommand =
  /** Commands of weft that read clusters. */
  { readonly run: 'drift' | 'collect' | 'check-answers' | 'plan'; readonly clusters: readonly string[] } | InCluster;

/** A command for one cluster. */
type InCluster =
  /** Waits until objects of a cluster are deleted. */
  | {
      readonly run: 'wait-for-deletion';
      readonly cluster: string;
      /** `null` for objects without a namespace. */
      readonly namespace: string | null;
      /** `deployment/gw-milan` */
      readonly objects: readonly string[];
    }
  /** Deletes gateways, keys of peers, and then Configurations. */
  | {
      readonly run: 'delete-links';
      readonly cluster: string;
      /** `null` for those of all namespaces; Liqo then has no peers any more. */
      readonly namespace: string | null;
    }
  /** Deletes a namespace, but not before these objects in it are deleted. */
  | {
      readonly run: 'delete-namespace';
      readonly cluster: string;
      readonly namespace: string;
      readonly after: readonly string[];
    }
  /** Deletes the policies of `boundaries` in a namespace. */
  | { readonly run: 'delete-policies'; readonly cluster: string; readonly namespace: string }
  /** Takes the label by which Liqo finds it off a Secret, so that no gateway starts with it any more. */
  | { readonly run: 'unlabel-secret'; readonly cluster: string; readonly namespace: string; readonly secret: string }
  | { readonly run: 'delete-secret'; readonly cluster: string; readonly namespace: string; readonly secret: string }
  /** Changes an annotation of an object, so that its controller looks at it again: `wggatewayserver/milan`. */
  | { readonly run: 'touch'; readonly cluster: string; readonly namespace: string; readonly object: string }
  /** Waits until a field has a value. */
  | ({ readonly run: 'wait-for-value' } & FieldValue)
  /** Takes the mark of an Application of Argo CD off a namespace. */
  | { readonly run: 'unmark-namespace'; readonly cluster: string; readonly namespace: string };

export interface FieldValue {
  readonly cluster: string;
  /** `null` for objects without a namespace. */
  readonly namespace: string | null;
  /** `configurations.networking.liqo.io/milan` */
  readonly object: string;
  /** A path as kubectl writes it: `.status.value`. */
  readonly field: string;
  readonly value: string;
}

export const isInCluster = (it: StepCommand): it is InCluster => 'cluster' in it;

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

/** Deletes a namespace once the Deployment of the gateway in it is gone: finalizers in it would never complete. */
export const deleteWithoutGateway = (cluster: string, namespace: string, gateway: string): StepCommand => ({
  run: 'delete-namespace',
  cluster,
  namespace,
  after: [`deployment/${gateway}`],
});
