/** A body, an answer's or an error's, as the checks look at it. */
export type Body = Readonly<Record<string, unknown>>;

export type Answer =
  | { readonly ok: true; readonly body: Body }
  | { readonly ok: false; readonly status: number; readonly body: Body };

/** What each generated client can do, however it is called there and however it fails. */
export interface GeneratedClient {
  account(): Promise<Answer>;
  addKeywords(siteId: string, input: object): Promise<Answer>;
  readChat(input: object): Promise<Answer>;
  /** A change that the client's own types let pass, without a cast. */
  typedChange(operationId: string): Promise<Answer>;
  changeChat(input: object): Promise<Answer>;
  readStudio(input: object): Promise<Answer>;
}

export type Connect = (baseUrl: string, key: string) => GeneratedClient;
