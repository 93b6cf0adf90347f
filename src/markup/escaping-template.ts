/** Text that is already escaped for a language. Only that language's template tag creates it. */
export type Escaped<Language extends string> = InstanceType<typeof EscapedText<Language>>

/** A value in a template. Text escaped for the same language is inserted unchanged; everything else is escaped. */
type Value<Language extends string> = string | number | Escaped<Language> | readonly Escaped<Language>[]

/** A template tag that escapes every value. Text that is escaped for another language is escaped again. */
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

/** Every kind of line break: a format may define only two, but its readers accept all of them. */
export const lineBreak = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/
