import { Refusal } from '../refusal.ts';
import type { Organization } from '../store/organization.ts';

/** Refuses while the runtime is down: 502, or the status given (D52). */
export function needRuntime({ settings }: Organization, status?: number): void {
  if (settings.runtime === 'down') {
    throw new Refusal('RUNTIME_UNAVAILABLE', undefined, status === undefined ? {} : { status });
  }
}
