import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

/* What an editor shows of a client: TypeScript is asked as an editor asks it. */

const file = fileURLToPath(new URL('../src/client-interface.ts', import.meta.url));
const program = ts.createProgram([file], {
  module: ts.ModuleKind.NodeNext,
  allowImportingTsExtensions: true,
  noEmit: true,
  strict: true,
  skipLibCheck: true,
});
const checker = program.getTypeChecker();
const source = program.getSourceFile(file)!;
const symbol = checker.getExportsOfModule(checker.getSymbolAtLocation(source)!);
const client = symbol.find(({ name }) => name === 'OrgChatClient')!;

interface Shown {
  readonly name: string;
  readonly words: string;
  readonly signature: string;
  readonly parameters: readonly ts.Type[];
}

/** The methods of a type and of the objects in it, with their words. */
function listMethods(type: ts.Type, path: string): Shown[] {
  return type.getProperties().flatMap((property) => {
    const name = `${path}.${property.name}`;
    const its = checker.getTypeOfSymbolAtLocation(property, source);
    const [call] = its.getCallSignatures();
    if (call === undefined) return listMethods(its, name);
    const words = ts.displayPartsToString(property.getDocumentationComment(checker));
    const parameters = call.parameters.map((one) => checker.getTypeOfSymbol(one));
    return [{ name, words, signature: checker.signatureToString(call), parameters }];
  });
}

const methods = listMethods(checker.getDeclaredTypeOfSymbol(client), 'client');

describe('on hover', () => {
  test('every method of the README has a text', () => {
    const names = methods.map(({ name }) => name);
    expect(names).toContain('client.tags.create');
    expect(names).toContain('client.friends.setTags');
    expect(names).not.toContain('client.richMenus.delete');
    expect(names.length).toBeGreaterThan(70);
  });

  test('each says what it does', () => {
    expect(methods.filter(({ words }) => words.length < 15).map(({ name }) => name)).toEqual([]);
  });

  test.each([
    ['client.tags.create', '(data: TagInput, options?: ChangeOptions | undefined): ChangeCall<Tag>'],
    ['client.scenarios.get', '(id: string, options?: CallOptions | undefined): Call<Guarded<Scenario>>'],
    ['client.friends.list', '(options?: FriendListOptions | undefined): RecordList<Friend>'],
    ['client.account', '(options?: CallOptions | undefined): Call<Account>'],
  ])('%s shows its types by name', (name, signature) => {
    expect(methods.find((method) => method.name === name)?.signature).toBe(signature);
  });

  test.each([
    ['client.tags.create', 'name', 'Limits: 1–100 characters.'],
    ['client.keywords.add', 'keywords', 'Limits: 1–50 items, each 1–80 characters.'],
    ['client.friends.update', 'notes', 'Limits: at most 2,000 characters.'],
  ])('of %s the field %s shows its limits', (name, field, limits) => {
    const parameters = methods.find((method) => method.name === name)?.parameters ?? [];
    const words = parameters.flatMap((type) => {
      const property = type.getProperty(field);
      return property ? [ts.displayPartsToString(property.getDocumentationComment(checker))] : [];
    });
    expect(words).toEqual([expect.stringMatching(new RegExp(`${limits}$`))]);
  });
});
