import { toShellWord } from '../args/shell-word.ts';
export interface StartedMock {
  readonly keys: readonly string[];
  readonly writeKey: string | undefined;
  readonly baseUrl: string;
  readonly controlUrl: string;
  readonly inspectorUrl: string;
  readonly controlToken: string | undefined;
}

/** What each key of the demo organization is for. */
const purposes: Readonly<Record<string, string>> = {
  'demo-write-key': 'reads and writes',
  'demo-read-key': 'reads only',
  'demo-viewer-key': 'write scope, but its creator is not an editor',
  'demo-revoked-key': 'revoked',
  'demo-deleted-org-key': 'its organization was deleted',
  'demo-suspended-key': 'its creator is suspended',
  'demo-no-api-key': 'a plan without API access',
};

const getPurpose = (key: string): string => (Object.hasOwn(purposes, key) ? (purposes[key] ?? '') : '');

/** The text that `mock start` prints: URLs, keys, and commands to try. */
export function banner({
  keys: all,
  writeKey = all[0] ?? 'KEY',
  baseUrl,
  controlUrl,
  inspectorUrl,
  controlToken,
}: StartedMock): string {
  const rank = (key: string): number => [...Object.keys(purposes), key].indexOf(key);
  const ordered = all.toSorted((one, other) => rank(one) - rank(other));
  const width = Math.max(...all.map((key) => key.length));
  const keys = ordered.map((key) => `  ${key.padEnd(width)}  ${getPurpose(key)}`.trimEnd()).join('\n');
  const environment = `ORGCHAT_BASE_URL=${toShellWord(baseUrl)} ORGCHAT_API_KEY=${toShellWord(writeKey)}`;
  const token =
    controlToken === undefined
      ? ''
      : `\nToken     ${controlToken}  (required by the control API; set ORGCHAT_MOCK_CONTROL_TOKEN)`;
  return `The orgchat mock server is ready.

Base URL  ${baseUrl}
Inspector ${inspectorUrl}  (a page to see requests and inject faults)
Control   ${controlUrl}  (faults, clock, state, sandboxes)${token}

Keys
${keys}

Try next, in another terminal:
  curl -s ${baseUrl}/me -H 'Authorization: Bearer ${writeKey}'
  ${environment} npx --no -- orgchat tags list
  ${environment} npx --no -- orgchat tags create --name Spring --color green

Lose the next response, then create again: the tag is still created once.
  ${controlToken === undefined ? '' : `ORGCHAT_MOCK_CONTROL_TOKEN=${toShellWord(controlToken)} `}npx --no -- orgchat mock fault lose-response action=create-tags --url ${toShellWord(controlUrl)}

Ctrl-C stops it.
`;
}
