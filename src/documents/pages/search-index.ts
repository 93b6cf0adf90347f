import { referencePath } from '../../contract/generators/reference-address.ts'
import { problemCodes, problems } from '../../contract/problems/problems.ts'
import type { BookPage } from './book-page.ts'
import { plainText, type RenderedText } from './markdown.ts'

/** What the search in the documentation finds. */
type SearchEntry = {
  title: string
  /** The page or group that the entry belongs to. */
  part: string
  href: string
  /** The first sentence. */
  text: string
}

/** Every page, every heading and every problem, in reading order. */
export function searchIndex(pages: readonly (readonly [BookPage, RenderedText])[]): { entries: SearchEntry[] } {
  return {
    entries: [
      // The overview of the reference repeats the headings of its pages.
      ...pages.flatMap(([page, { headings }]) => [
        { title: page.title, part: page.group, href: `/${page.path}`, text: page.description },
        ...headings
          .filter(({ level }) => level <= (page.deepestHeading ?? 3) && page.path !== referencePath)
          .map(({ id, text, endpoint, lead }) => ({
            title: text.replace(/^\d+\. /, ''),
            part: page.title,
            href: `/${page.path}#${id}`,
            text: [endpoint, firstSentence(lead)].filter(Boolean).join(' · '),
          })),
      ]),
      ...problemCodes.map((code) => ({
        title: code,
        part: 'Problems',
        href: `/problems/${code}`,
        text: firstSentence(plainText(problems[code].meaning)),
      })),
    ],
  }
}

/** A full stop ends the sentence only before a space or at the end of the text. */
const firstSentence = (text: string): string => /^[\s\S]*?[.!?](?=\s|$)/.exec(text)?.[0] ?? text
