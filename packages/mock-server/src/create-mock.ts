import { listen } from './adapters/listen.ts';
import { documents } from './control/documents.ts';
import { DataFileError } from './data-file/data-file-error.ts';
import { type LoadedFile, loadDataFile } from './data-file/load-data-file.ts';
import { serveInspector } from './inspector/serve-inspector.ts';
import { createLoadOptions, getOnDelete, loadSource, serveWorld } from './memory-mock.ts';
import type { Mock } from './mock-interface.ts';
import { checkOptions } from './options/check-options.ts';
import type { FileMockOptions, MockOptions } from './options/options.ts';
import { type LoadOptions, loadDocument } from './seed/load-world.ts';
import type { NodeServices } from './served-mock.ts';
import type { World } from './world/world.ts';

const node: NodeServices = { listen, documents, serveInspector };

/** A data file that cannot be written is not an error in the mock, so its stack is not printed. */
const reportError = (error: unknown): void =>
  console.error(error instanceof DataFileError ? `orgchat mock server: ${error.message}` : error);

/**
 * Creates a mock server. Without options it has the demo organization in memory and the limits of the contract.
 *
 * Throws a `SeedError` if the seed or the state is invalid, a `DataFileError` if the data file cannot be used, and a
 * `MockOptionsError` if another option is invalid. If `seed` is a path, the file is read first: the result is then a
 * promise, which rejects with these errors.
 */
export function createMock(options: FileMockOptions & { readonly seed: string }): Promise<Mock>;
export function createMock(options?: MockOptions): Mock;
export function createMock(options: FileMockOptions): Mock | Promise<Mock>;
export function createMock(options: FileMockOptions = {}): Mock | Promise<Mock> {
  checkOptions(options);
  const loadOptions = createLoadOptions(options, reportError);
  const source = options.state ?? options.seed;
  if (typeof source === 'string') {
    return readSeedFile(source, loadOptions).then((initialWorld) =>
      assemble(options, loadOptions, initialWorld),
    );
  }
  return assemble(options, loadOptions, loadSource(source, loadOptions));
}

/** Loads the YAML parser only if there is a file to read. */
async function readSeedFile(file: string, loadOptions: LoadOptions): Promise<World> {
  const { loadSeedFile } = await import('./seed/load-seed-file.ts');
  return loadSeedFile(file, loadOptions);
}

function assemble(options: FileMockOptions, loadOptions: LoadOptions, initialWorld: World): Mock {
  const onDelete = getOnDelete(options);
  if (onDelete !== undefined) initialWorld.onDelete = onDelete;
  if (options.data === undefined) return serveWorld(options, loadOptions, initialWorld, { node });
  const { onError } = loadOptions.rules;
  const file = loadDataFile(options.data, options.dataAcceptLoss ?? false, onError);
  const savedWorld = loadSaved(options.data, file, loadOptions);
  if (onDelete !== undefined && savedWorld !== undefined) savedWorld.onDelete = onDelete;
  const stateWriter = file.open();
  try {
    return serveWorld(options, loadOptions, initialWorld, { node, stateWriter, savedWorld });
  } catch (error) {
    stateWriter.close();
    throw error;
  }
}

/** Loads the state of a data file; undefined if the file is new. */
function loadSaved(path: string, file: LoadedFile, loadOptions: LoadOptions): World | undefined {
  try {
    const saved = file.getDocument();
    return saved === undefined ? undefined : loadDocument(saved, loadOptions);
  } catch (error) {
    const { message } = error as Error;
    throw new DataFileError(
      `${path} contains data that this version of the mock server cannot read (${message}). It was not modified; choose another file.`,
      { cause: error },
    );
  }
}
