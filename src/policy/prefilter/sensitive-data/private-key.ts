import { inEachPart, type Rule } from '../rule.ts'
import { isPlaceholder } from './placeholder.ts'

export const privateKey: Rule = {
  id: 'private_key',
  category: 'personal_data',
  summary: 'A private key in PEM, OpenSSH or PGP armour, with its content. The first line alone passes.',
  find: inEachPart(({ field, text }) => {
    const contents = text.matchAll(firstLine).map(({ 0: line, index }) => contentAfter(text, index + line.length))
    if (!contents.some(hasKeyMaterial)) return null
    return `\`${field}\` contains a private key. If it is real, replace it. Remove it and submit the post again.`
  }),
}

const firstLine = /-----BEGIN (?:[A-Z0-9]{2,9} ){0,2}PRIVATE KEY(?: BLOCK)?-----/g

/** Up to the next row of dashes, so that no character is read twice. */
function contentAfter(text: string, index: number): string {
  const end = text.indexOf('-----', index)
  return text.slice(index, end < 0 ? undefined : end)
}

/** The shortest key in use (Ed25519) has 64 base64 characters without line breaks. No word is that long. */
function hasKeyMaterial(content: string): boolean {
  // A key copied from JSON has its line breaks as `\n`.
  const joined = content.replaceAll(/\\[nr]|[\n\t]/g, '')
  return (joined.match(/[0-9A-Za-z+/=]{64,}/g) ?? []).some((material) => !isPlaceholder(lastOf(material)))
}

/** Only the end of a key is random: the beginning encodes its type. */
const lastOf = (material: string) => material.slice(-48)
