/** Text of a language that is already escaped. Only the template of that language makes it. */
export type Escaped<Language extends string> = InstanceType<typeof EscapedText<Language>>

/** Ours is put in as it stands, a list one after the other; everything else is escaped. */
type Value<Language extends string> = string | number | Escaped<Language> | readonly Escaped<Language>[]

/** A template tag that escapes every value. What another language has escaped is text like any other here. */
export function escapingTemplate<const Language extends string>(
  language: Language,
  escapeText: (text: string) => string,
) {
  const show = (value: Value<Language>): string => {
    if (value instanceof EscapedText)
      return value.language === language ? value.toString() : escapeText(value.toString())
    return typeof value === 'object' ? value.map(show).join('') : escapeText(String(value))
  }
  return (literals: TemplateStringsArray, ...values: readonly Value<Language>[]): Escaped<Language> =>
    new EscapedText(language, String.raw({ raw: literals }, ...values.map(show)))
}

class EscapedText<Language extends string> {
  readonly language: Language
  readonly #text: string

  constructor(language: Language, text: string) {
    this.language = language
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

/** Every way to break a line: a format may know two of them, and its readers all. */
export const lineBreak = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/
