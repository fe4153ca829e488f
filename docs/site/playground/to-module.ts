/* The code of the playground as a module of its worker. */
// The policy of the site does not allow the WebAssembly of the default build.
import { parse } from 'es-module-lexer/js';

/** The modules that the page serves, by the names that programs import. */
const modules: Readonly<Record<string, string>> = {
  '@orgchat/sdk': 'sdk.js',
  '@orgchat/mock-server/browser': 'mock-server.js',
};

/** Reports an import of a module that the page does not have. */
export class UnknownModuleError extends Error {
  override readonly name = 'UnknownModuleError';
}

/** The import statements of the code. There are none if it has a syntax error, which the worker reports. */
function listImports(code: string) {
  try {
    return parse(code)[0].filter(({ d }) => d === -1);
  } catch {
    return [];
  }
}

/**
 * The code as a function that `run` of the runtime calls. Its imports are behind it, so that each line keeps its number.
 *
 * @throws UnknownModuleError
 */
export function toModule(code: string, folder: string): string {
  const imports: string[] = [];
  let body = '';
  let end = 0;
  for (const { n: name = '', ss, se, s, e } of listImports(code)) {
    const file = Object.hasOwn(modules, name) ? modules[name] : undefined;
    if (file === undefined) {
      const known = Object.keys(modules).join(' and ');
      throw new UnknownModuleError(`"${name}" cannot be imported here. The playground has ${known}.`);
    }
    imports.push(`${code.slice(ss, s - 1)}${JSON.stringify(`${folder}${file}`)}${code.slice(e + 1, se)};`);
    body += `${code.slice(end, ss)};${code.slice(ss, se).replace(/[^\n]/g, '')}`;
    end = se;
  }
  body += code.slice(end);
  const runtime = `import { run as runPlayground } from ${JSON.stringify(`${folder}runtime.js`)};`;
  return [`${runtime} void runPlayground(async () => {${body}`, '});', ...imports].join('\n');
}
