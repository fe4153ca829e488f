import { execFileSync } from 'node:child_process';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const folder = dirname(fileURLToPath(import.meta.url));
const root = resolve(folder, '../../..');
const source = resolve(folder, 'public-types.source.ts');

const isIdentifier = /^[A-Za-z_$][\w$]*$/;

function print(checker: ts.TypeChecker, type: ts.Type): string {
  const printed = (part: ts.Type): string => print(checker, part);
  if (type.flags & ts.TypeFlags.Boolean) return 'boolean';
  if (type.isUnion()) {
    const parts = type.types.map(printed);
    const merged = parts.filter((part) => part !== 'true' && part !== 'false');
    return [...new Set(parts.length - merged.length === 2 ? ['boolean', ...merged] : parts)].join(' | ');
  }
  if (type.isStringLiteral()) return `'${type.value}'`;
  if (!(type.flags & ts.TypeFlags.Object)) return checker.typeToString(type);
  if (checker.isArrayType(type)) {
    const [item] = checker.getTypeArguments(type as ts.TypeReference);
    return `readonly (${item === undefined ? 'unknown' : printed(item)})[]`;
  }
  const index = checker
    .getIndexInfosOfType(type)
    .map(({ type: value }) => `[name: string]: ${printed(value)}`);
  const fields = checker.getPropertiesOfType(type).map((property) => {
    const optional = property.flags & ts.SymbolFlags.Optional ? '?' : '';
    const name = isIdentifier.test(property.name) ? property.name : `'${property.name}'`;
    return `readonly ${name}${optional}: ${printed(checker.getTypeOfSymbol(property))}`;
  });
  return `{ ${[...index, ...fields].join('; ')} }`;
}

/** The types that a file exports, in its order: its own, and those of the files that it exports. */
function listTypes(checker: ts.TypeChecker, file: ts.SourceFile): ts.Symbol[] {
  return file.statements.flatMap((statement) => {
    if (ts.isTypeAliasDeclaration(statement)) {
      const isExported = ts.getCombinedModifierFlags(statement) & ts.ModifierFlags.Export;
      return (isExported && checker.getSymbolAtLocation(statement.name)) || [];
    }
    if (!ts.isExportDeclaration(statement) || statement.moduleSpecifier === undefined) return [];
    const module = checker.getSymbolAtLocation(statement.moduleSpecifier) as ts.Symbol;
    return checker.getExportsOfModule(module).filter(({ flags }) => flags & ts.SymbolFlags.TypeAlias);
  });
}

/**
 * The text of src/generated/public-types.ts: the input and output types of the schemas in full, so that users of the
 * package need the types of neither zod nor the contract. A test compares the result with the schemas.
 */
export function publicTypes(notice: string): string {
  const { config } = ts.readConfigFile(resolve(root, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const program = ts.createProgram([source], options);
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(source);
  if (file === undefined) throw new Error(`${source} cannot be read`);
  const declarations = listTypes(checker, file).map((symbol) => {
    const [declaration] = symbol.declarations ?? [];
    const comment = declaration && ts.getJSDocCommentsAndTags(declaration)[0]?.getText();
    return `${comment ?? ''}\nexport type ${symbol.name} = ${print(checker, checker.getDeclaredTypeOfSymbol(symbol))};\n`;
  });
  const format = ['--no', '--', 'biome', 'format', '--stdin-file-path=public-types.ts'];
  const text = `// ${notice}\n\n${declarations.join('\n')}`;
  return execFileSync('npx', format, { cwd: root, input: text, encoding: 'utf8' });
}
