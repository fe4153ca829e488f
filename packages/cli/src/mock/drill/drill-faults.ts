/** What the drill does to a write, in the order of its report. */
export const drillFaults = [
  'drop-request',
  'lose-response',
  'cut-response',
  'delay',
  'applied-late',
  'uncertain-applied',
  'uncertain-unapplied',
  'status-500-applied',
  'status-500-unapplied',
  'status-502-applied',
  'status-502-unapplied',
  'rate-limited',
  'runtime-unavailable',
  'not-applied',
  'kill',
] as const;
export type DrillFault = (typeof drillFaults)[number];
