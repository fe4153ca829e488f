import { patterns } from '@orgchat/spec/patterns';
import { createDraw, type Draw } from './draw.ts';
import {
  drawHexadecimal,
  drawLetters,
  maskAddressRest,
  maskCharacters,
  maskHost,
  maskWords,
} from './mask-text.ts';
import type { OriginalTexts } from './original-texts.ts';

/** The parts of a text that have a form to keep: placeholders, addresses, email addresses and dates. */
const formed =
  /\{link:[0-9a-f-]{36}\}|\{miniapp:\/[A-Za-z0-9/_-]{0,100}\}|(?:https?|chat):\/\/[^\s{}<>"]*|\btel:\S+|[\w.+-]+@[\w-]+(?:\.[\w-]+)+|\b\d{4}-\d{2}-\d{2}(?!\d)/gi;

/** Attempts to find a masked text that is neither an original text nor taken. */
const maxAttempts = 50;

/** Scheme, user, host, port and the rest. The host of an address decides whom a masked one would reach. */
const addressParts = /^(\w+:\/\/)((?:[^/?#@]*@)?)(\[[^\]]*\]|[^/?#:]*)((?::\d+)?)(.*)$/s;

const dayMs = 86_400_000;
/** Days since 1970 in place of a date: 1985 to 2024. */
const days = Array.from({ length: 14_600 }, (_, index) => 5_479 + index);

/**
 * Replaces texts, ids and addresses. The same original always becomes the same replacement, and different originals
 * different ones. A replacement depends on the place where its original was found first, and not on the original, so
 * nobody can check a guess.
 */
export class Masker {
  readonly #originals: OriginalTexts;
  readonly #masked = new Map<string, string>();
  readonly #taken = new Set<string>();

  constructor(originals: OriginalTexts) {
    this.#originals = originals;
  }

  /** An id, or a name in place of an id, becomes a UUID. */
  id(id: string, place: string): string {
    const original = patterns.uuid.test(id) ? id.toLowerCase() : id;
    return this.#find('id', original, place, (draw) =>
      drawHexadecimal('00000000-0000-4000-a000-000000000000', draw, this.#originals),
    );
  }

  /** The identifier of a friend. */
  friendId(userId: string, place: string): string {
    return this.#find('friend', userId, place, (draw) =>
      drawHexadecimal(`U${'0'.repeat(32)}`, draw, this.#originals),
    );
  }

  /** The key of a form field: a lowercase letter, then lowercase letters, digits or underscores. */
  fieldKey(key: string, place: string): string {
    return this.#find('field', key, place, (draw) => maskWords(key, draw, this.#originals));
  }

  /** What a button opens. In a seed, a link placeholder may hold a name. */
  uri(uri: string, place: string): string {
    const link = /^\{link:(.+)\}$/s.exec(uri)?.[1];
    return link === undefined ? this.text(uri, place) : `{link:${this.id(link, place)}}`;
  }

  /** Free text, with its placeholders and addresses. Length and kind stay. */
  text(text: string, place: string): string {
    if (text.trim() === '') return text;
    return this.#find('text', text, place, (draw) => this.#maskParts(text, place, draw));
  }

  #maskParts(text: string, place: string, draw: Draw): string {
    let masked = '';
    let end = 0;
    for (const { 0: part, index } of text.matchAll(formed)) {
      masked += maskCharacters(text.slice(end, index), draw, this.#originals, masked);
      masked += this.#maskFormed(part, `${place}@${index}`, draw, masked);
      end = index + part.length;
    }
    return masked + maskCharacters(text.slice(end), draw, this.#originals, masked);
  }

  #maskFormed(part: string, place: string, draw: Draw, before: string): string {
    const link = /^\{link:(.+)\}$/.exec(part)?.[1];
    if (link !== undefined) return `{link:${this.id(link, place)}}`;
    const path = /^\{miniapp:\/(.*)\}$/.exec(part)?.[1];
    if (path !== undefined) return `{miniapp:/${maskWords(path, draw, this.#originals)}}`;
    const address = addressParts.exec(part);
    if (address !== null) {
      const [, scheme = '', user = '', host = '', port = '', rest = ''] = address;
      const start = `${scheme}${maskCharacters(user, draw, this.#originals)}${this.#host(host, place)}${port}`;
      return start + maskAddressRest(rest, draw, this.#originals, start);
    }
    const [, mailbox, domain] = /^([^@]+)@(.+)$/.exec(part) ?? [];
    if (mailbox !== undefined && domain !== undefined)
      return `${maskCharacters(mailbox, draw, this.#originals, before)}@${this.#host(domain, place)}`;
    if (/^tel:/i.test(part)) return part.slice(0, 4) + maskCharacters(part.slice(4), draw, this.#originals);
    return this.#date(part, place);
  }

  #host(host: string, place: string): string {
    if (host === '') return '';
    return this.#find('host', host.toLowerCase(), place, (draw) => maskHost(host, draw, this.#originals));
  }

  /** Any valid date. There are too few to give each original its own. */
  #date(date: string, place: string): string {
    const known = this.#masked.get(`date ${date}`);
    if (known !== undefined) return known;
    const draw = createDraw(place);
    const draws = (): string => new Date(draw(days) * dayMs).toISOString().slice(0, 10);
    let masked = draws();
    for (let attempt = 1; attempt < maxAttempts && this.#originals.has(masked); attempt++) masked = draws();
    this.#masked.set(`date ${date}`, masked);
    return masked;
  }

  #find(kind: string, original: string, place: string, draws: (draw: Draw) => string): string {
    const known = this.#masked.get(`${kind} ${original}`);
    if (known !== undefined) return known;
    const draw = createDraw(place);
    const isUsable = (candidate: string): boolean =>
      !this.#originals.has(candidate) && !this.#taken.has(`${kind} ${candidate}`);
    let masked = draws(draw);
    for (let attempt = 1; attempt < maxAttempts && !isUsable(masked); attempt++) masked = draws(draw);
    // Very short texts run out; one more character is far from any limit.
    while (!isUsable(masked)) masked += drawLetters(1, draw, this.#originals);
    this.#masked.set(`${kind} ${original}`, masked);
    this.#taken.add(`${kind} ${masked}`);
    return masked;
  }
}
