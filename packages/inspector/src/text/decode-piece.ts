/** A piece of an address without percent-encoding; as it is if that is not valid. */
export function decodePiece(piece: string): string {
  try {
    return decodeURIComponent(piece);
  } catch {
    return piece;
  }
}
