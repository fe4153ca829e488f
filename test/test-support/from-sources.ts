/** The arguments with which Node runs a TypeScript program on the sources of the packages, whatever was built of them. */
export const fromSources = ['--conditions=orgchat-source', '--import', 'tsx'] as const;
