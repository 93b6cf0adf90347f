/** Every http(s) link in a text, in order, including repeats. Linear in the length of the text. */
export function findLinks(text: string): string[] {
  return (text.match(links) ?? []).map(withoutTrailingPunctuation).filter((link) => beginsWithHost.test(link))
}

// A link can contain another link, as archive URLs do. After a comma, bracket or similar character, a new link starts:
// links are charged by count, and omitting the space must not make two links count as one.
const scheme = String.raw`https?:\/\/`
const separator = String.raw`[[\p{P}\p{S}]--[\/=?&#%]]`
const links = new RegExp(String.raw`${scheme}(?:(?!${separator}${scheme})[^\s<>"“”„«»「」『』\`])+`, 'giv')
const beginsWithHost = new RegExp(String.raw`^${scheme}[\p{L}\p{N}\[]`, 'iv')

/** Keeps a closing bracket at the end if the link also contains the opening one: `…/wiki/Broadside_(printing)`. */
function withoutTrailingPunctuation(link: string): string {
  // The fast path for nearly every link: counting brackets takes a hundred times as long.
  if (/[\p{L}\p{N}/]$/u.test(link)) return link
  const unopened = new Map(
    brackets.map(([open, close]) => [close, countOf(close, link) - countOf(open, link)] as const),
  )
  let end = link.length
  for (; end > 0; end--) {
    const last = link.charAt(end - 1)
    const excess = unopened.get(last)
    if (excess === undefined ? !punctuation.test(last) : excess <= 0) break
    if (excess !== undefined) unopened.set(last, excess - 1)
  }
  return link.slice(0, end)
}

const brackets = ['()', '[]', '{}', '（）', '《》', '【】'].map((pair) => [pair.charAt(0), pair.charAt(1)] as const)
const punctuation = /[[\p{Po}\p{Pi}\p{Pf}_~\|]--[\/%\&@#\\]]/v

const countOf = (character: string, text: string) => text.split(character).length - 1
