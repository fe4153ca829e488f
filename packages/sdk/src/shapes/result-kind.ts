import type { resultKinds } from '../generated/server-description.ts';

/** The kind of a change whose result has one shape, and the resource it is about. */
export function toResultKind({ action }: Readonly<Record<string, unknown>>): {
  readonly kind: (typeof resultKinds)[number];
  readonly resource: string;
} {
  const name = String(action);
  if (name === 'delete-configuration') return { kind: 'delete', resource: '' };
  if (name === 'enroll-scenario') return { kind: 'enroll', resource: 'friend-automations' };
  if (name === 'update-friend' || name === 'set-friend-tags') return { kind: 'friend', resource: 'friends' };
  const resource = name.replace(/^(create|update)-/, '');
  return { kind: name.startsWith('create-') ? 'create' : 'update', resource };
}
