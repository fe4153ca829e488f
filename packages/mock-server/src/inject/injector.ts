import type { Injector } from '../mock-interface.ts';
import { changeFromOutside } from '../world/outside-changes.ts';
import type { World } from '../world/world.ts';
import { injectFriend, injectMessage } from './friends.ts';
import { injectKey, injectSite } from './sites-and-keys.ts';
import { injectDocument, injectProject } from './studio.ts';
import { injectClick, injectSubmission } from './submissions-and-clicks.ts';

/** The methods that add what happens outside the API to the current world of a mock. */
export function createInjector(getWorld: () => World): Injector {
  const inject = <T extends object>(resource: string, path: string, add: (world: World) => T): T => {
    const world = getWorld();
    return changeFromOutside(world, { action: 'inject', resource, path }, () => add(world));
  };
  return {
    friend: (input, options = {}) =>
      inject('friends', '/friends', (world) => injectFriend(world, input, options)),
    message: (friend, input, options = {}) =>
      inject('messages', `/friends/${friend.accountId}/${friend.userId}/messages`, (world) =>
        injectMessage(world, friend, input, options),
      ),
    submission: (formId, input, options = {}) =>
      inject('form-submissions', `/forms/${formId}/submissions`, (world) =>
        injectSubmission(world, formId, input, options),
      ),
    click: (linkId, input = {}, options = {}) =>
      inject('link-clicks', `/links/${linkId}/clicks`, (world) => injectClick(world, linkId, input, options)),
    project: (input, options = {}) =>
      inject('projects', '/studio/projects', (world) => injectProject(world, input, options)),
    document: (projectId, input, options = {}) =>
      inject('documents', `/studio/projects/${projectId}/documents`, (world) =>
        injectDocument(world, projectId, input, options),
      ),
    site: (input = {}, options = {}) =>
      inject('sites', '/sites', (world) => injectSite(world, input, options)),
    key: (input, options = {}) => inject('keys', '/keys', (world) => injectKey(world, input, options)),
  };
}
