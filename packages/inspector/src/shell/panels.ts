import type { ComponentType } from 'preact';
import { AuditPanel } from '../panels/audit/audit-panel.tsx';
import { NotificationsPanel } from '../panels/audit/notifications-panel.tsx';
import { ClockPanel } from '../panels/clock/clock-panel.tsx';
import { FaultsPanel } from '../panels/faults/faults-panel.tsx';
import { KeysPanel } from '../panels/keys/keys-panel.tsx';
import { OperationsPanel } from '../panels/operations/operations-panel.tsx';
import { RecordsPanel } from '../panels/records/records-panel.tsx';
import { RequestsPanel } from '../panels/requests/requests-panel.tsx';
import { SandboxesPanel } from '../panels/sandboxes/sandboxes-panel.tsx';
import { StatePanel } from '../panels/state/state-panel.tsx';

interface PanelEntry {
  readonly name: string;
  readonly title: string;
  /** Whether it begins a group of the menu. */
  readonly startsGroup?: true;
  readonly component: ComponentType;
}

/** The panels, in the order of the menu. The first is shown without a choice. */
export const panels: readonly [PanelEntry, ...PanelEntry[]] = [
  { name: 'requests', title: 'Requests', component: RequestsPanel },
  { name: 'faults', title: 'Faults', component: FaultsPanel },
  { name: 'records', title: 'Records', component: RecordsPanel },
  { name: 'operations', title: 'Operations', component: OperationsPanel },
  { name: 'audit', title: 'Audit log', component: AuditPanel },
  { name: 'notifications', title: 'Notifications', component: NotificationsPanel },
  { name: 'clock', title: 'Clock and limits', startsGroup: true, component: ClockPanel },
  { name: 'keys', title: 'Keys and organization', component: KeysPanel },
  { name: 'sandboxes', title: 'Sandboxes', startsGroup: true, component: SandboxesPanel },
  { name: 'state', title: 'State', component: StatePanel },
];
