/**
 * The Unicode forms of a name to search for: as it was given, NFC and NFD. The server may compare characters, so a search
 * for one form does not find the others. A form with more characters than a search can have is left out.
 */
export function unicodeForms(name: string, maxLength: number): string[] {
  const given = name.trim();
  const others = [given.normalize('NFC'), given.normalize('NFD')];
  return [...new Set([given, ...others.filter((form) => form.length <= maxLength)])];
}
