/** Context of an error, for its message and hint. */
export interface ErrorContext {
  /** Host and port of the API, and of the proxy if there is one. */
  readonly server?: string | undefined;
  /** The hint if something was not found. */
  readonly notFoundHint?: string | undefined;
  /** The hint if the record has another revision or label than the caller of the command expects. */
  readonly staleHint?: string | undefined;
  /** The command that resends keywords with an unknown outcome. */
  readonly resendKeywords?: string | undefined;
}
