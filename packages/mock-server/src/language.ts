import { type Language, languages } from '@orgchat/spec';

/**
 * The language of error messages: of Japanese and English the one of the highest weight, the first named where
 * weights are equal, English where neither is named (clause 3.18, D13).
 */
export function languageOf(acceptLanguage: string | undefined): Language {
  let best: Language = 'en';
  let bestWeight = 0;
  if (acceptLanguage === undefined) return best;
  for (const range of acceptLanguage.split(',')) {
    const [tag = '', ...parameters] = range.toLowerCase().split(';');
    const language = languages.find((known) => tag.trim().split('-')[0] === known);
    if (language === undefined) continue;
    const weight = weightOf(parameters);
    if (weight > bestWeight) [best, bestWeight] = [language, weight];
  }
  return best;
}

function weightOf(parameters: readonly string[]): number {
  for (const parameter of parameters) {
    const [name = '', value = ''] = parameter.split('=');
    if (name.trim() !== 'q') continue;
    const weight = Number(value);
    // One below 0 is below that of a language that is not named.
    return weight <= 1 ? weight : 0;
  }
  return 1;
}
