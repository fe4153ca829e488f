import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { sourceOptions } from '../../../test/test-support/source-options.ts';

/*
 * The public symbols of the SDK: what a user writes or calls.
 *
 * - every export of an entry point: functions, classes, constants and types;
 * - every method of an exported interface or class, and of the objects in it, such as `keywords` of a client;
 * - every option: the properties of exported interfaces whose names end in `Options`;
 * - every field of an error class.
 *
 * Not counted are fields of inputs, records and events; what is inherited from a type that is not of this package; and
 * second names, such as `client['auto-replies']`.
 *
 * An example teaches how something is called: functions, classes and constants, the client, methods, and options as a
 * group have one.
 * For a single option, a field or another type, the sentence about it is enough.
 */

/** The entry points of the package. */
export const entryPoints = ['index', 'node', 'journal-conformance'] as const;

type EntryPoint = (typeof entryPoints)[number];

const source = (path: string): string => fileURLToPath(new URL(`../src/${path}`, import.meta.url));
/** Members that are another one by a second name, and the `name` that every error has. */
const notCounted: readonly string[] = ['auto-replies', 'rich-menus', 'name'];

export interface PublicSymbol {
  /** Such as `createClient`, `ListPromise.first` or `ClientOptions.timeoutMs`. */
  readonly path: string;
  /** The last part of the path. */
  readonly name: string;
  readonly entry: EntryPoint;
  readonly declaration: ts.Declaration;
  /** What the docstring says before its tags. */
  readonly words: string;
  /** Whether it is one that an example teaches. */
  readonly needsExample: boolean;
  /** The example, without the comment around it; undefined if there is none. */
  readonly example: string | undefined;
}

export const compilerOptions: ts.CompilerOptions = {
  ...sourceOptions,
  lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts'],
};

/** Creates a program of the entry points and of more files, by path, that exist only here. */
export function createProgram(
  files: ReadonlyMap<string, string> = new Map(),
  before?: ts.Program,
): ts.Program {
  const host = ts.createCompilerHost(compilerOptions);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (path) => files.has(path) || fileExists(path);
  host.getSourceFile = (path, ...rest) => {
    const text = files.get(path);
    return text === undefined
      ? getSourceFile(path, ...rest)
      : ts.createSourceFile(path, text, ts.ScriptTarget.ES2022);
  };
  const roots = [...entryPoints.map((entry) => source(`${entry}.ts`)), ...files.keys()];
  return ts.createProgram(roots, compilerOptions, host, before);
}

function isOfThisPackage(declaration: ts.Declaration): boolean {
  return declaration.getSourceFile().fileName.startsWith(source(''));
}

function readExample(symbol: ts.Symbol, declaration: ts.Declaration): string | undefined {
  const tag = symbol.getJsDocTags().find(({ name }) => name === 'example');
  if (tag === undefined || !isOfThisPackage(declaration)) return undefined;
  return ts.displayPartsToString(tag.text);
}

/** The name of the interface or class that a member is declared in; undefined for one of an object type. */
function findOwner(declaration: ts.Declaration): string | undefined {
  const { parent } = declaration;
  const isNamed = ts.isInterfaceDeclaration(parent) || ts.isClassDeclaration(parent);
  const name = isNamed ? parent.name?.text : undefined;
  // The members of a client are declared in an interface that is not exported.
  return name === 'ClientMembers' ? 'OrgChatClient' : name;
}

/** The server is described by an option that is a group of its own. */
const isOptions = (name: string): boolean => name.endsWith('Options') || name === 'ServerDescription';

function isMethod(declaration: ts.Declaration): boolean {
  return ts.isMethodSignature(declaration) || ts.isMethodDeclaration(declaration);
}

/** Lists the public symbols of a program that has the entry points. */
export function listPublicSymbols(program: ts.Program): PublicSymbol[] {
  const checker = program.getTypeChecker();
  const found = new Map<ts.Declaration, PublicSymbol>();

  function add(entry: EntryPoint, path: string, symbol: ts.Symbol, needsExample: boolean): void {
    const declaration = symbol.declarations?.[0];
    if (declaration === undefined || !isOfThisPackage(declaration)) return;
    if (found.has(declaration)) return;
    // The compiler adds a number to the name of a symbol such as `Symbol.asyncDispose`.
    const toName = (text: string): string => text.replace(/__@(\w+)@\d+/, '$1');
    const words = ts.displayPartsToString(symbol.getDocumentationComment(checker));
    const example = readExample(symbol, declaration);
    found.set(declaration, {
      path: toName(path),
      name: toName(symbol.name),
      entry,
      declaration,
      words,
      needsExample,
      example,
    });
  }

  function addMembers(entry: EntryPoint, path: string, type: ts.Type): void {
    for (const member of type.getProperties()) {
      const [declaration] = member.declarations ?? [];
      if (declaration === undefined || !isOfThisPackage(declaration) || notCounted.includes(member.name))
        continue;
      const owner = findOwner(declaration) ?? path;
      const memberPath = `${owner}.${member.name}`;
      const its = checker.getNonNullableType(checker.getTypeOfSymbolAtLocation(member, declaration));
      const isFunction = its.getCallSignatures().length > 0;
      const isOption = isOptions(owner);
      const isOfClient = owner.startsWith('OrgChatClient') && isFunction;
      const isField = ts.isClassDeclaration(declaration.parent) || isOption;
      if (isMethod(declaration) || isOfClient || isField)
        add(entry, memberPath, member, !isOption && (isMethod(declaration) || isFunction));
      else if (ts.isPropertySignature(declaration) && declaration.type) {
        // Such as `client.keywords`, or `client.forms` with its two methods more.
        const parts = ts.isIntersectionTypeNode(declaration.type)
          ? declaration.type.types
          : [declaration.type];
        for (const part of parts)
          if (ts.isTypeLiteralNode(part)) addMembers(entry, memberPath, checker.getTypeFromTypeNode(part));
      }
    }
  }

  for (const entry of entryPoints) {
    const file = program.getSourceFile(source(`${entry}.ts`));
    const module = file && checker.getSymbolAtLocation(file);
    for (const exported of module ? checker.getExportsOfModule(module) : []) {
      const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
      const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported;
      const isValue = (symbol.flags & ts.SymbolFlags.Value) !== 0;
      const isClient = symbol.name === 'OrgChatClient';
      add(entry, symbol.name, symbol, isValue || isClient || isOptions(symbol.name));
      const [declaration] = symbol.declarations ?? [];
      const hasMembers =
        declaration !== undefined &&
        (ts.isClassDeclaration(declaration) || ts.isInterfaceDeclaration(declaration));
      if (hasMembers || isClient) addMembers(entry, symbol.name, checker.getDeclaredTypeOfSymbol(symbol));
    }
  }
  return [...found.values()];
}
