import { contractVersion, resolveServer, type ServerDescription } from '@orgchat/spec';
import { usageError } from '../errors/cli-error.ts';
import { writeAtomic } from '../output/write-file.ts';
import { hasCodes, type Learned, listUnknownMeanings } from './learn.ts';
import type { Verdict } from './verdicts.ts';

/** What is written about the check itself. */
export interface Checked {
  readonly at: string;
  /** A digest. */
  readonly organization: string;
  readonly requests: number;
}

type YamlDocument = import('yaml').Document;

/** Removes a key, and the objects around it that are empty then. */
function remove(document: YamlDocument, key: readonly string[]): void {
  if (document.getIn(key) === undefined) return;
  document.deleteIn(key);
  for (let path = key.slice(0, -1); path.length > 0; path = path.slice(0, -1)) {
    const value: unknown = document.getIn(path);
    const isEmpty = Object(value).items?.length === 0;
    if (!isEmpty) return;
    document.deleteIn(path);
  }
}

/** Writes what was learned into a description, of which everything else is kept, with its comments. */
export async function completeDescription(
  text: string | undefined,
  verdicts: readonly Verdict[],
  learned: readonly Learned[],
  checked: Checked,
): Promise<string> {
  const yaml = await import('../yaml.ts');
  const document: YamlDocument =
    text === undefined
      ? new yaml.Document({ server: 1, contract: contractVersion })
      : yaml.parseDocument(text);
  if (text === undefined)
    document.commentBefore =
      ' How a server differs from the decisions of this toolkit, as "orgchat contract check" found it.\n Use it: orgchat --server FILE, createClient({ server }), createMock({ server })';
  const before = document.toJS() as Pick<ServerDescription, 'codes' | 'unknown'>;
  document.setIn(['checked'], document.createNode(checked, { flow: true }));
  for (const one of learned) {
    const { key, value } = one;
    // Its other codes may be those of cases that no probe asks about.
    if (key[0] === 'codes' && document.getIn(key) !== undefined && hasCodes(before, one)) continue;
    if (value === undefined) remove(document, key);
    else
      document.setIn(
        key,
        typeof value === 'object' && value !== null ? document.createNode(value, { flow: true }) : value,
      );
  }
  const unknown = listUnknownMeanings(verdicts, text === undefined ? undefined : before);
  if (unknown.length === 0) remove(document, ['unknown']);
  else document.setIn(['unknown'], document.createNode(unknown, { flow: true }));
  return document.toString({ lineWidth: 0 });
}

/** Writes a description as a whole. Throws if what was learned does not make a valid one. */
export async function writeDescription(name: string, text: string): Promise<void> {
  const { parseDocument } = await import('../yaml.ts');
  const { problem } = resolveServer(parseDocument(text).toJS());
  if (problem !== undefined)
    throw usageError(
      `${name} was not written: ${problem}`,
      'The answers of the server do not make a valid description. See the report, and correct the file by hand.',
      'INVALID_SERVER',
    );
  await writeAtomic(name, (write) => write(text));
}
