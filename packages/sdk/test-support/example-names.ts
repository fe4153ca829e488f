import type { readFile } from 'node:fs/promises';
import type {
  Form,
  Friend,
  Guarded,
  Journal,
  JournalEntry,
  Link,
  OrgChatClient,
  OrgChatError,
  Scenario,
  StudioProject,
  Tag,
} from '../src/index.ts';

/** What an example of a docstring may use besides what the package exports. */
export interface ExampleWorld {
  readonly client: OrgChatClient;
  readonly tag: Guarded<Tag>;
  /** The id of the tag. */
  readonly id: string;
  readonly friend: Guarded<Friend>;
  readonly accountId: string;
  readonly scenario: Scenario;
  readonly form: Form;
  readonly link: Link;
  readonly project: StudioProject;
  readonly documentId: string;
  readonly organizationId: string;
  readonly journal: Journal;
  readonly entry: JournalEntry;
  readonly order: { readonly id: string };
  readonly words: readonly string[];
  /** The error that a call rejects with. */
  failure(call: PromiseLike<unknown>): Promise<OrgChatError>;
  /** Of a test runner. */
  test(name: string, run: () => Promise<void>): void;
  readonly readFile: typeof readFile;
  /** Of undici. */
  readonly ProxyAgent: new (
    url: string,
  ) => object;
}

/** The names that an example may use. */
export const worldNames = [
  'client',
  'tag',
  'id',
  'friend',
  'accountId',
  'scenario',
  'form',
  'link',
  'project',
  'documentId',
  'organizationId',
  'journal',
  'entry',
  'order',
  'words',
  'failure',
  'test',
  'readFile',
  'ProxyAgent',
] as const satisfies readonly (keyof ExampleWorld)[];
