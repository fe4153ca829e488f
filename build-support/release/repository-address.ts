/** The address of the repository on GitHub, where the publish workflow runs. */
export interface RepositoryAddress {
  /** Such as `https://github.com/OWNER/NAME`, without a slash at the end. */
  readonly url: string;
  /** Such as `OWNER/NAME`. */
  readonly name: string;
}

const githubAddress = /^(?:git\+)?https:\/\/github\.com\/([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/;

/**
 * Reads the field `repository` of the package.json of the root: an address, or the object that npm writes.
 *
 * @returns undefined if the field is not there: the owner of the repository sets it once.
 * @throws Error if it is not the address of a repository on GitHub.
 */
export function parseRepository(
  repository: string | { readonly url?: string } | undefined,
): RepositoryAddress | undefined {
  if (repository === undefined) return undefined;
  const given = typeof repository === 'string' ? repository : repository.url;
  const [, name] = githubAddress.exec(given ?? '') ?? [];
  if (name === undefined) {
    throw new Error(
      `"repository" in package.json is ${JSON.stringify(repository)}. Write the address of the repository: "https://github.com/OWNER/NAME".`,
    );
  }
  return { url: `https://github.com/${name}`, name };
}

/** What is written where the address would be used, and has to be known before a release. */
export const missingAddress =
  'The address of the repository is not set. Write "repository": "https://github.com/OWNER/NAME" into the package.json of the root, run npm run generate, and commit both.';
