import { configurationResources, deletableResources, operationNames } from '@orgchat/spec';
import { expect, it } from 'vitest';
import { resourceOfChange, targets } from './targets.ts';

const namesOf = (operation: string) =>
  targets.filter((target) => target.operation === operation).map(({ resource }) => resource);

it('there are targets of every operation, and every readable resource is one', () => {
  expect(new Set(targets.map(({ operation }) => operation))).toEqual(new Set(operationNames));
  expect(namesOf('getAccount')).toEqual([undefined]);
  expect(namesOf('readChat')).toHaveLength(16);
  expect(namesOf('readStudio')).toEqual(['projects', 'documents', 'document']);
});

it('every change has the resource it changes, and those that name a revision are guarded', () => {
  const changes = targets.filter(({ operation }) => operation === 'changeChat');
  expect(new Set(changes.map(({ action }) => action)).size).toBe(22);
  expect(changes).toHaveLength(2 * configurationResources.length + deletableResources.length + 3);
  const unguarded = changes.filter(({ guarded }) => !guarded).map(({ action }) => action);
  expect(unguarded).toEqual([...configurationResources.map((name) => `create-${name}`), 'enroll-scenario']);
});

it('what a change changes is known from its action, or from its body where the action leaves it open', () => {
  expect(resourceOfChange('update-auto-replies', 'tags')).toBe('auto-replies');
  expect(resourceOfChange('set-friend-tags', undefined)).toBe('friends');
  expect(resourceOfChange('enroll-scenario', undefined)).toBe('friend-automations');
  expect(resourceOfChange('delete-configuration', 'links')).toBe('links');
  expect(resourceOfChange(undefined, 'links')).toBe(undefined);
});
