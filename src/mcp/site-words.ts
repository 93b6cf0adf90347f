import type { Kind } from '../kinds/index.ts'

/** The text in the words of one site: `{kind}`, `{noun}`, `{a noun}` with its article, `{plural}`. */
export const inWordsOf = ({ name, site }: Kind, text: string): string =>
  text
    .replaceAll('{kind}', name)
    .replaceAll('{noun}', site.noun)
    .replaceAll('{a noun}', `${/^[aeiou]/i.test(site.noun) ? 'an' : 'a'} ${site.noun}`)
    .replaceAll('{plural}', site.plural)
    .replaceAll('{title}', site.title)
