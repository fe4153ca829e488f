import type { components } from '../generated/control-api.ts';

type Schemas = components['schemas'];

export type RequestEntry = Schemas['RequestLogEntry'];
export type RequestDetail = Schemas['RequestDetail'];
export type RequestList = Schemas['RequestList'];
export type FaultInput = Schemas['FaultInput'];
export type ArmedFault = Schemas['ArmedFault'];
export type ClockReading = Schemas['ClockReading'];
export type ChangeOperation = Schemas['ChangeOperation'];
export type AuditEntry = Schemas['AuditEntry'];
export type Notification = Schemas['Notification'];
export type SandboxEntry = Schemas['SandboxEntry'];
export type Limits = Schemas['Limits'];
export type ListedKey = Schemas['ListedKey'];
export type OrganizationEntry = Schemas['OrganizationEntry'];
export type KeyPatch = Schemas['KeyPatch'];
export type OrganizationPatch = Schemas['OrganizationPatch'];
