import { expect, it } from 'vitest';
import { operationNames } from './operations.ts';
import { getChangedResource, requestKinds } from './request-kinds.ts';
import { configurationResources, deletableResources } from './resources/names.ts';

const listNames = (operation: string) =>
  requestKinds.filter((target) => target.operation === operation).map(({ resource }) => resource);

it('covers every operation and every readable resource', () => {
  expect(new Set(requestKinds.map(({ operation }) => operation))).toEqual(new Set(operationNames));
  expect(listNames('getAccount')).toEqual([undefined]);
  expect(listNames('readChat')).toHaveLength(16);
  expect(listNames('readStudio')).toEqual(['projects', 'documents', 'document']);
});

it('every change has its resource, and changes with a revision are guarded', () => {
  const changes = requestKinds.filter(({ operation }) => operation === 'changeChat');
  expect(new Set(changes.map(({ action }) => action)).size).toBe(22);
  expect(changes).toHaveLength(2 * configurationResources.length + deletableResources.length + 3);
  const unguarded = changes.filter(({ guarded }) => !guarded).map(({ action }) => action);
  expect(unguarded).toEqual([...configurationResources.map((name) => `create-${name}`), 'enroll-scenario']);
});

it('finds the changed resource from the action, or from the body if the action does not determine it', () => {
  expect(getChangedResource('update-auto-replies', 'tags')).toBe('auto-replies');
  expect(getChangedResource('set-friend-tags', undefined)).toBe('friends');
  expect(getChangedResource('enroll-scenario', undefined)).toBe('friend-automations');
  expect(getChangedResource('delete-configuration', 'links')).toBe('links');
  expect(getChangedResource(undefined, 'links')).toBe(undefined);
});
