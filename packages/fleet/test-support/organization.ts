import type { ChatChange, OrgChatClient, WriteOptions } from '@orgchat/sdk';

/** The organization of the demo, as `account()` names it. */
export const organization = 'org_demo';

/** Creates a client of the demo's organization whose changes are answered by a function. */
export const createScriptedClient = (
  changeChat: (change: ChatChange, options: WriteOptions) => unknown,
): OrgChatClient => ({ changeChat, account: async () => ({ organizationId: organization }) }) as never;
