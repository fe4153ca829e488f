import type { Injector } from '../mock-interface.ts';
import type { World } from '../world/world.ts';
import { injectFriend, injectMessage } from './friends.ts';
import { injectKey, injectSite } from './sites-and-keys.ts';
import { injectDocument, injectProject } from './studio.ts';
import { injectClick, injectSubmission } from './submissions-and-clicks.ts';

/** The methods that add what happens outside the API to the current world of a mock. */
export const createInjector = (getWorld: () => World): Injector => ({
  friend: (input, options = {}) => injectFriend(getWorld(), input, options),
  message: (friend, input, options = {}) => injectMessage(getWorld(), friend, input, options),
  submission: (formId, input, options = {}) => injectSubmission(getWorld(), formId, input, options),
  click: (linkId, input = {}, options = {}) => injectClick(getWorld(), linkId, input, options),
  project: (input, options = {}) => injectProject(getWorld(), input, options),
  document: (projectId, input, options = {}) => injectDocument(getWorld(), projectId, input, options),
  site: (input = {}, options = {}) => injectSite(getWorld(), input, options),
  key: (input, options = {}) => injectKey(getWorld(), input, options),
});
