import type { ComponentType } from 'preact';
import { FaultsPanel } from '../panels/faults/faults-panel.tsx';
import { RequestsPanel } from '../panels/requests/requests-panel.tsx';

interface PanelEntry {
  readonly name: string;
  readonly title: string;
  readonly component: ComponentType;
}

/** The panels, in the order of the menu. The first is shown without a choice. */
export const panels: readonly [PanelEntry, ...PanelEntry[]] = [
  { name: 'requests', title: 'Requests', component: RequestsPanel },
  { name: 'faults', title: 'Faults', component: FaultsPanel },
];
