import { fileURLToPath } from 'node:url';
import { configurationResources, labelFields } from '@orgchat/spec';
import ts from 'typescript';
import { beforeAll, describe, expect, test } from 'vitest';
import { resolve, type Schema } from '../../../spec/test-support/document.ts';
import { sourceOptions } from '../../test-support/source-options.ts';
import { askAbout, cursor, type Question, type Scope } from './completion-questions.ts';

/*
 * What an editor offers while somebody writes a call. The language service of TypeScript is asked at each text that has to
 * be one of a set, and at each place of a field. It offers what the contract has there, and nothing else.
 */

const getSchema = (name: string): Schema => resolve({ $ref: `#/components/schemas/${name}` });

function getData(action: string): Schema {
  const changes = getSchema('ChatChange').oneOf?.map(resolve) ?? [];
  const change = changes.find(({ properties }) => properties?.action?.enum?.[0] === action);
  if (change?.properties?.data === undefined) throw new Error(`The contract has no data of ${action}.`);
  return change.properties.data;
}

type Method = readonly [writeCall: (value: string) => string, input: Schema];

const endpoints: readonly Method[] = [
  [(value) => `client.changeChat(${value})`, getSchema('ChatChange')],
  [(value) => `client.readChat(${value})`, getSchema('ChatReadInput')],
  [(value) => `client.readStudio(${value})`, getSchema('StudioReadInput')],
  [(value) => `client.addKeywords('site', ${value})`, getSchema('AddKeywordsInput')],
];
const resourceMethods: readonly Method[] = [
  [(value) => `client.friends.update(friend, ${value})`, getData('update-friend')],
  ...configurationResources.map(
    (resource): Method => [
      (value) => `client['${resource}'].create(${value})`,
      getData(`create-${resource}`),
    ],
  ),
];
const labelQuestions: readonly Question[] = configurationResources.map((resource) => ({
  code: `client['${resource}'].upsert(data, { by: '${cursor}' })`,
  expected: [labelFields[resource]],
}));

const listQuestions = (methods: readonly Method[], scope: Scope): Question[] =>
  methods.flatMap(([writeCall, input]) => [...askAbout(input, scope, writeCall)]);

const file = fileURLToPath(new URL('./calls.virtual.ts', import.meta.url));
const declarations = `import type { Friend, OrgChatClient } from '@orgchat/sdk';
declare const client: OrgChatClient;
declare const friend: Friend;
declare const data: never;
`;

/** Returns what the language service offers at the cursor of each question. All of them are in one file. */
function complete(questions: readonly Question[]): string[][] {
  let text = declarations;
  const positions = questions.map(({ code }) => {
    const position = text.length + code.indexOf(cursor);
    text += `${code.replace(cursor, '')};\n`;
    return position;
  });
  const service = ts.createLanguageService({
    ...ts.sys,
    useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
    getCompilationSettings: () => sourceOptions,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getProjectVersion: () => '1',
    getScriptSnapshot(path) {
      const content = path === file ? text : ts.sys.readFile(path);
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: (path) => path === file || ts.sys.fileExists(path),
  });
  return positions.map((position) =>
    (service.getCompletionsAtPosition(file, position, {})?.entries ?? []).map(({ name }) => name).sort(),
  );
}

const groups = {
  'of a call that is being typed': listQuestions(endpoints, { progress: 'typed', depth: Infinity }),
  // What is deeper has the same types as in the bare operations.
  'of a method of a resource': listQuestions(resourceMethods, { progress: 'typed', depth: 1 }),
  'of a call that is complete but for one field': listQuestions(endpoints, {
    progress: 'complete',
    depth: 2,
  }),
  'of the field that names a record': labelQuestions,
};
const questions = Object.values(groups).flat();

describe('an editor offers what the contract has, and nothing else', () => {
  const offered = new Map<string, string[]>();
  beforeAll(() => {
    for (const [index, names] of complete(questions).entries())
      offered.set(questions[index]?.code ?? '', names);
  }, 180_000);

  test.each(Object.entries(groups))('%s', (_, asked) => {
    const wrong = asked.flatMap(({ code, expected }) => {
      const found = offered.get(code);
      return String(found) === String([...expected].sort()) ? [] : [{ code, expected, found }];
    });
    expect(wrong).toEqual([]);
  });

  test.each([
    ['22 actions', `client.changeChat({ action: '${cursor}' })`, 22],
    ['16 resources', `client.readChat({ resource: '${cursor}' })`, 16],
    ['3 resources of Studio', `client.readStudio({ resource: '${cursor}' })`, 3],
    [
      '8 resources whose records can be deleted',
      `client.changeChat({ action: 'delete-configuration', resource: '${cursor}', })`,
      8,
    ],
  ])('%s', (_, code, count) => {
    expect(offered.get(code)).toHaveLength(count);
  });
});
