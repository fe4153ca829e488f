import { type Language, languages } from '@orgchat/spec';

/**
 * The language of error messages: Japanese or English, whichever has the higher weight; the first if the weights are
 * equal, English if neither is listed (clause 3.18, D13).
 */
export function parseAcceptLanguage(acceptLanguage: string | undefined): Language {
  let best: Language = 'en';
  let bestWeight = 0;
  if (acceptLanguage === undefined) return best;
  for (const range of acceptLanguage.split(',')) {
    const [tag = '', ...parameters] = range.toLowerCase().split(';');
    const language = languages.find((known) => tag.trim().split('-')[0] === known);
    if (language === undefined) continue;
    const weight = parseWeight(parameters);
    if (weight > bestWeight) [best, bestWeight] = [language, weight];
  }
  return best;
}

function parseWeight(parameters: readonly string[]): number {
  for (const parameter of parameters) {
    const [name = '', value = ''] = parameter.split('=');
    if (name.trim() !== 'q') continue;
    const weight = Number(value);
    // A negative weight is below the weight of a language that is not listed.
    return weight <= 1 ? weight : 0;
  }
  return 1;
}
