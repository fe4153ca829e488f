import { type ConfigurationResource, type Reference, references } from '@orgchat/spec';
import type { Caller } from '../steps/authenticate.ts';
import { findAccount, findConfiguration } from './visible.ts';

/** Looks up every record that data names: 404 for the first that is not there, with its place (D62). */
export function checkReferences(caller: Caller, resource: ConfigurationResource, data: object): void {
  for (const reference of references[resource]) follow(caller, reference, data, 0, 'data');
}

function follow(caller: Caller, reference: Reference, value: unknown, depth: number, where: string): void {
  if (value === null || value === undefined) return;
  const step = reference.path[depth];
  if (step === undefined) checkOne(caller, reference.resource, value as string, where);
  else if (step === '*') {
    const items = value as readonly unknown[];
    for (let i = 0; i < items.length; i++) follow(caller, reference, items[i], depth + 1, `${where}[${i}]`);
  } else {
    const next = (value as Readonly<Record<string, unknown>>)[step];
    if (next !== undefined) follow(caller, reference, next, depth + 1, `${where}.${step}`);
  }
}

export function checkOne(caller: Caller, resource: Reference['resource'], id: string, where: string): void {
  if (resource === 'accounts') findAccount(caller, id, where);
  else findConfiguration(caller, resource, id, where);
}
