/** Thrown if a data file cannot be used. The file was not modified. */
export class DataFileError extends Error {
  override readonly name = 'DataFileError';
}
