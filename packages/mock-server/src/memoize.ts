/** Computes a value on first use: schemas take milliseconds to build, and many runs never need them. */
export function memoize<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
