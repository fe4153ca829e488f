import { contractVersion } from '@orgchat/spec';
import { DataFileError } from './data-file-error.ts';
import { createDamagedError, DamagedFileError } from './database.ts';
import { moveAside, resolveDataFile } from './file-paths.ts';
import { type FileContent, readDataFile, readUndamaged } from './read-data-file.ts';
import { type Json, type Line, StateAssembler } from './state-pieces.ts';
import { StateWriter } from './state-writer.ts';

/** What a data file contains. */
export interface LoadedFile {
  /** Returns the state document; undefined if the file is new, or if nothing could be read. */
  getDocument(): Json | undefined;
  /** Opens the file for changes. Only then is it modified. */
  open(): StateWriter;
}

/**
 * Reads a data file. Throws a `DataFileError` if it cannot be used, and modifies nothing. With `acceptLoss`, damaged files are
 * moved aside when the file is opened, and what can be read of them is used; `onLoss` is called with what was lost.
 */
export function loadDataFile(
  given: string,
  acceptLoss: boolean,
  onLoss: (error: DataFileError) => void,
): LoadedFile {
  const path = resolveDataFile(given);
  const assembler = new StateAssembler();
  const add = (batch: string): void => addBatch(path, assembler, batch);
  let content: FileContent | undefined;
  let loss: DamagedFileError | undefined;
  try {
    content = readDataFile(path, add);
  } catch (error) {
    if (!acceptLoss || !(error instanceof DamagedFileError)) throw error;
    loss = error;
  }
  const salvaged = loss === undefined ? assembler : new StateAssembler();
  if (loss !== undefined) readUndamaged(path, (batch) => addBatch(path, salvaged, batch));
  return {
    getDocument: () => (salvaged.empty ? undefined : toDocument(salvaged)),
    open() {
      if (loss !== undefined) {
        const aside = moveAside(path);
        onLoss(
          new DataFileError(`${loss.reason}. What could be read is used; the damaged files are ${aside}*.`, {
            cause: loss,
          }),
        );
      }
      return new StateWriter(path, content);
    },
  };
}

function addBatch(path: string, assembler: StateAssembler, batch: string): void {
  let lines: Line[];
  try {
    lines = JSON.parse(batch) as Line[];
  } catch (error) {
    throw createDamagedError(path, (error as Error).message, error);
  }
  for (const [kind, organization, key, value] of lines)
    assembler.add({ kind, organization, key, value: value ?? undefined });
}

function toDocument(assembler: StateAssembler): Json {
  const savedAt = new Date(0).toISOString();
  return assembler.document({ format: 'orgchat-state', version: 1, contract: contractVersion, savedAt });
}
