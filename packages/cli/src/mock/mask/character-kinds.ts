/** How a character is masked. */
export type CharacterKind =
  /** White space stays, so that lines, words and trimmed texts stay. */
  | { readonly type: 'space' }
  /** Punctuation stays unless it would give a text away: it makes an email address or a number look like one. */
  | { readonly type: 'mark' }
  | { readonly type: 'replaced'; readonly alphabet: readonly string[] };

export const lowerCase = [...'abcdefghijklmnopqrstuvwxyz'];
const upperCase = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
export const digits = [...'0123456789'];
/** In place of punctuation that may not stay. */
export const marks = [...'-_.~*+=:'];
const symbols = [...'☀☁☂☃★☎♠♣♥♦♪'];
const pictures = [...'🌸🍀🍎🎈🎁🎵🏠🐟🐦🌙🌊🔔📘'];

/** The first match decides. The alphabets have characters of the same script, so that widths and sizes stay similar. */
const alphabets: readonly (readonly [pattern: RegExp, alphabet: readonly string[]])[] = [
  [/^[a-z]$/, lowerCase],
  [/^[A-Z]$/, upperCase],
  [/^[0-9]$/, digits],
  [
    /^\p{Script=Hiragana}$/u,
    [...'あいうえおかきくけこさしすせそたちつてとなにぬねのはひふへほまみむめもやゆよらりるれろわ'],
  ],
  [/^[\uff66-\uff9f]$/, [...'ｱｲｳｴｵｶｷｸｹｺｻｼｽｾｿﾀﾁﾂﾃﾄﾅﾆﾇﾈﾉ']],
  [
    /^\p{Script=Katakana}$/u,
    [...'アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワ'],
  ],
  [/^[\u{20000}-\u{3ffff}]$/u, [...'𠀀𠀁𠀂𠀃𠀄𠀅𠀆𠀇𠀈𠀉𠀊']],
  [/^\p{Script=Han}$/u, [...'山川田木林森石水火土金日月星空雨雪風花草竹米貝糸虫魚鳥犬牛馬車舟門戸']],
  [/^\p{Script=Hangul}$/u, [...'가나다라마바사아자차카타파하고노도로모보소오조초']],
  [/^\p{Script=Thai}$/u, [...'กขคงจชซดตถทนบปผพมยรลวสห']],
  [/^\p{Script=Arabic}$/u, [...'ابتثجحخدذرزسشصضطظعغفقكلمنهوي']],
  [/^\p{Script=Hebrew}$/u, [...'אבגדהוזחטיכלמנסעפצקרשת']],
  [/^\p{Script=Cyrillic}$/u, [...'абвгдежзиклмнопрстуфхцчшщэюя']],
  [/^\p{Script=Greek}$/u, [...'αβγδεζηθικλμνξοπρστυφχψω']],
  [/^[\uff10-\uff19]$/, [...'０１２３４５６７８９']],
  [/^\p{Regional_Indicator}$/u, [...'🇦🇧🇨🇩🇪🇫🇬🇭🇮🇯🇰🇱🇲']],
  [/^[\u{10000}-\u{10ffff}]$/u, pictures],
  [/^\p{Extended_Pictographic}$/u, symbols],
  [/^\p{Lu}$/u, [...'ÀÁÂÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÖØÙÚÛÜ']],
  [/^\p{L}$/u, [...'àáâäåæçèéêëìíîïñòóôöøùúûü']],
  [/^\p{N}$/u, digits],
];

/** Punctuation, signs of currency and the like, and what only changes the character before it. */
const mark = /^(?:[\p{P}\p{M}\p{Sc}\p{Sm}\p{Sk}\u30fc]|\p{Join_Control})$/u;

const kinds = new Map<string, CharacterKind>();

function findKind(character: string): CharacterKind {
  if (/^\s$/.test(character)) return { type: 'space' };
  const found = alphabets.find(([pattern]) => pattern.test(character));
  if (
    mark.test(character) &&
    (character === 'ー' || found === undefined || found[1] === symbols || found[1] === pictures)
  )
    return { type: 'mark' };
  return { type: 'replaced', alphabet: found?.[1] ?? symbols };
}

/** Finds out how to mask one character (one code point, or half of a broken pair). */
export function getKind(character: string): CharacterKind {
  const known = kinds.get(character);
  if (known !== undefined) return known;
  const kind = findKind(character);
  kinds.set(character, kind);
  return kind;
}
