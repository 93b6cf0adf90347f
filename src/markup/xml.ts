import { type Escaped, escapingTemplate } from './escaping-template.ts'

/** XML that is already escaped. */
export type Xml = Escaped<'xml'>

/** Escapes every value for element content and quoted attributes. */
export const xml = escapingTemplate('xml', (text) =>
  text.replace(forbidden, '').replace(/[&<>"'\r]/g, (character) => `&#${character.charCodeAt(0)};`),
)

// XML 1.0 has no escape for these characters, and a parser rejects a file that contains one.
const forbidden = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu

export const xmlDocument = (root: Xml): string => `<?xml version="1.0" encoding="UTF-8"?>\n${root}\n`
