import type { Diagnostic } from '../../../base/diagnostics/diagnostic.ts';
import type { SharedModel } from '../shared-model.ts';
import type { SharingInputs } from '../sharing-inputs.ts';

/** A rule about shared resources. It reports with the place of the text that declares them. */
export type SharingRule = (sharing: SharingToCheck) => Iterable<Diagnostic>;

interface SharingToCheck {
  readonly model: SharedModel;
  readonly inputs: SharingInputs;
}
