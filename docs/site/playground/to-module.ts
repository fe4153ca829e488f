/* The code of the playground as a module of its worker. */

/** The modules that the page serves, by the names that programs import. */
const modules: Readonly<Record<string, string>> = {
  '@orgchat/sdk': 'sdk.js',
  '@orgchat/mock-server/browser': 'mock-server.js',
};

/** An import at the beginning of a line: of names, of a namespace, or of the module alone. */
const importStatement = /^[ \t]*import\b([^;'"(]*)(['"])([^'"\n]+)\2;?/gm;

/** Reports an import of a module that the page does not have. */
export class UnknownModuleError extends Error {
  override readonly name = 'UnknownModuleError';
}

/**
 * The code as a function that `run` of the runtime calls. Its imports come first, and each line keeps its number.
 *
 * @throws UnknownModuleError
 */
export function toModule(code: string, folder: string): string {
  const imports: string[] = [];
  const body = code.replace(importStatement, (statement, names: string, _quote, name: string) => {
    const file = modules[name];
    if (file === undefined) {
      const known = Object.keys(modules).join(' and ');
      throw new UnknownModuleError(`"${name}" cannot be imported here. The playground has ${known}.`);
    }
    imports.push(`import${names}${JSON.stringify(`${folder}${file}`)};`.replaceAll('\n', ' '));
    return statement.replace(/[^\n]/g, '');
  });
  const runtime = `import { run as runPlayground } from ${JSON.stringify(`${folder}runtime.js`)};`;
  return `${runtime} ${imports.join(' ')} void runPlayground(async () => {${body}\n});`;
}
