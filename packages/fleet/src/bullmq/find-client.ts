import type { OrgChatClient } from '@orgchat/sdk';
import { FleetError } from '../fleet-error.ts';
import { checkOrganization, isClient } from '../sending/client-organization.ts';

/**
 * The client of an organization, such as from a `Map`. Undefined if there is none: its jobs then wait. Return the same
 * client for an organization each time: its `account()` is asked once per client.
 */
export type ClientLookup = (
  organization: string,
) => OrgChatClient | undefined | Promise<OrgChatClient | undefined>;

/** The client that sends the work of an organization, or why there is none now. */
export type FoundClient =
  | { readonly client: OrgChatClient }
  | {
      readonly client?: undefined;
      /** A code for the warning. */
      readonly code: 'NO_CLIENT' | 'KEY_OF_ANOTHER_ORGANIZATION' | 'ACCOUNT_FAILED' | 'ADDRESS_GONE';
      readonly message: string;
      /** How long to wait at least, in milliseconds. */
      readonly delayMs: number;
    };

/** Finds the client of an organization, and compares its organization before its first use. Never rejects. `signal` ends the wait. */
export async function findClient(
  getClient: ClientLookup,
  organization: string,
  signal: AbortSignal | undefined,
): Promise<FoundClient> {
  let client: unknown;
  try {
    client = await getClient(organization);
  } catch (error) {
    return missing(
      `The function given to createProcessor() failed for organization "${organization}": ${error}`,
    );
  }
  if (client === undefined || client === null)
    return missing(
      `The function given to createProcessor() has no client for organization "${organization}".`,
    );
  if (!isClient(client))
    return missing(
      `The function given to createProcessor() returned no @orgchat/sdk client for organization "${organization}".`,
    );
  try {
    const failure = await checkOrganization(client, { what: 'The job', organization, signal });
    return failure === undefined ? { client } : { code: 'ACCOUNT_FAILED', ...failure };
  } catch (error) {
    const isGone = error instanceof FleetError && error.code === 'ADDRESS_GONE';
    const code = isGone ? 'ADDRESS_GONE' : 'KEY_OF_ANOTHER_ORGANIZATION';
    return { code, message: (error as Error).message, delayMs: 0 };
  }
}

const missing = (message: string): FoundClient => ({ code: 'NO_CLIENT', message, delayMs: 0 });
